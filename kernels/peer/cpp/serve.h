// What a process of peers is told and answers.
#pragma once

#include "peer.h"

// Served is a kernel in several ways.
struct Served {
  // ready makes the way ready, and if its time is wanted, so that the first run does nothing that others do not. It returns false if the processor
  // cannot run it.
  virtual bool ready(Word way, bool timed) = 0;
  virtual void clear() = 0; // sets the results to zeros
  virtual void run(Word way) = 0;
  virtual vector<Word> results() = 0;
};

// readInput reads from the standard input how many words there are, and the words (all numbers are little-endian).
bool readInput();

// inputLeft tells whether there are words that number and words have not given yet.
bool inputLeft();

// serve reads commands from the standard input up to its end: the way, and 1 if the results are asked for. For each it runs the kernel
// once and answers with eight bytes, the nanoseconds of processor time, all ones if the processor cannot run that; and, if asked, with the number
// of words of the results and the words; the time is then that of a run that may have built something.
void serve(Served &kernel);

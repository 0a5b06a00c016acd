// What a process of peers is told and answers.
#pragma once

#include "peer.h"

// Served is a kernel in several ways.
struct Served {
  virtual bool ready(Word way) = 0; // makes the way ready to be measured; false if the processor cannot run it
  virtual void clear() = 0;         // sets the results to zeros
  virtual void run(Word way) = 0;
  virtual vector<Word> results() = 0;
};

// readInput reads from the standard input how many words there are, and the words (all numbers are little-endian).
bool readInput();

// inputLeft tells whether there are words that number and words have not given yet.
bool inputLeft();

// serve reads commands from the standard input up to its end: the way, and 1 if the results are asked for. For each it runs the kernel
// once and answers with eight bytes, the nanoseconds of processor time, all ones if the processor cannot run that; and, if asked, with the number
// of words of the results and the words.
void serve(Served &kernel);

#!/bin/sh
# An adapter for vop conform --ptx: reads names of self-checking PTX files, launches each and answers with its verdict.
# It drives vop run; whoever tests another machine for PTX replaces that line.
#
#     vop vectors --ptx checks && vop conform --ptx checks -- sh vop-run.sh [OPTIONS OF vop run]
while IFS= read -r file; do
    verdict=$(vop run --quiet "$@" "$file" --kernel selfcheck --arg out:-:20 | od -An -tx4 -N4 | tr -d ' ')
    echo "${verdict:-error: the kernel does not run}"
done

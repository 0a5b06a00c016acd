#!/usr/bin/env python3
"""The evaluator of ../python with three mistakes planted, which vop conform must name:

  - vset2 and vset4 merge from b instead of c (as the manual's prose says);
  - vmad zero-extends c also where the result is signed;
  - .sat of four lanes clamps to the unsigned range whatever dtype is.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import video


class Planted(video.Instruction):
    def mad(self, a, b, c):
        _, oa, ob = self.operands[:3]
        tmp = video.extract(a, oa.selector, self.atype) * video.extract(b, ob.selector, self.btype)
        signed_final = self.atype or self.btype or self.neg_product or self.neg_c
        lsb = 1 if self.po else 0
        if self.neg_product and not self.po:
            tmp, lsb = ~tmp, 1
        elif self.neg_c:
            c, lsb = ~c & 0xFFFFFFFF, 1
        tmp = (tmp + c + lsb) >> self.scale
        if self.sat:
            tmp = video.saturate(tmp, signed_final, 32)
        return tmp & 0xFFFFFFFF

    def simd(self, a, b, c):
        if self.kind == "vset" and not self.op2:
            return super().simd(a, b, b)
        if self.lanes == 4 and self.sat:
            self.dtype = False
        return super().simd(a, b, c)


video.Instruction = Planted

if __name__ == "__main__":
    video.main()

"""The `__init__` of records, one for each number of fields.

The easy rule to break: they are alike in all but the number. A record takes the code of one and puts the names of its
own fields into it: to compile an `__init__` for each takes as long as checking several templates.
"""

# mypy: allow-untyped-defs
# ruff: noqa: E702, E741
# fmt: off


def init_1(self, a):
    self.a = a

def init_2(self, a, b):
    self.a = a; self.b = b

def init_3(self, a, b, c):
    self.a = a; self.b = b; self.c = c

def init_4(self, a, b, c, d):
    self.a = a; self.b = b; self.c = c; self.d = d

def init_5(self, a, b, c, d, e):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e

def init_6(self, a, b, c, d, e, f):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f

def init_7(self, a, b, c, d, e, f, g):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g

def init_8(self, a, b, c, d, e, f, g, h):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h

def init_9(self, a, b, c, d, e, f, g, h, i):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i

def init_10(self, a, b, c, d, e, f, g, h, i, j):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j

def init_11(self, a, b, c, d, e, f, g, h, i, j, k):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k

def init_12(self, a, b, c, d, e, f, g, h, i, j, k, l):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l

def init_13(self, a, b, c, d, e, f, g, h, i, j, k, l, m):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m

def init_14(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n

def init_15(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o

def init_16(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p

def init_17(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q

def init_18(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r

def init_19(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r
    self.s = s

def init_20(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r
    self.s = s; self.t = t

def init_21(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r
    self.s = s; self.t = t; self.u = u

def init_22(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r
    self.s = s; self.t = t; self.u = u; self.v = v

def init_23(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r
    self.s = s; self.t = t; self.u = u; self.v = v; self.w = w

def init_24(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x):
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
    self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r
    self.s = s; self.t = t; self.u = u; self.v = v; self.w = w; self.x = x


INITS = (
    init_1, init_2, init_3, init_4, init_5, init_6, init_7, init_8,
    init_9, init_10, init_11, init_12, init_13, init_14, init_15, init_16,
    init_17, init_18, init_19, init_20, init_21, init_22, init_23, init_24,
)

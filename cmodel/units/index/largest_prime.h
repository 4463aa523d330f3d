/* largest_prime.h - the largest prime not above a power of two, as a constant
 * expression for the tables of the prime-modulo units (wang2015 3.5, D-FUP-2;
 * aci-iacm-blpp 3.6).  Legal for 4 .. 4096. */
#ifndef WARPLOCK_UNITS_INDEX_LARGEST_PRIME_H
#define WARPLOCK_UNITS_INDEX_LARGEST_PRIME_H

#define LARGEST_PRIME(sets) \
    ((sets) == 16 || (sets) == 64 || (sets) == 512 || (sets) == 1024 || (sets) == 4096 ? (sets)-3 \
     : (sets) == 256                                                                   ? 251 \
     : (sets) == 2048                                                                  ? 2039 \
                                                                                       : (sets)-1)

/* value % prime; proofs put their own arithmetic in its place (tb/prove/builtins.h). */
#ifndef PRIME_RESIDUE
#define PRIME_RESIDUE(value, prime) ((value) % (prime))
/* (value * factor + to) % prime; value * factor alone may exceed 64 bits.  `value` has `width` bits,
 * which only proofs ask for. */
#define PRIME_DISPLACED(value, factor, to, prime, width) \
    (((value) % (prime) * (factor) + (to)) % (prime))
#endif

#endif

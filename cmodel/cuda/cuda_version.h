/* cuda_version.h - which version of the runtime a library stands for: 13, 12 or 11.  Each library
 * is linked with an object that says so; the rest is the same.
 */
#ifndef WARPLOCK_CUDA_VERSION_H
#define WARPLOCK_CUDA_VERSION_H

extern const int cuda_major;

#endif

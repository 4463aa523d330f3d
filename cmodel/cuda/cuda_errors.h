/* cuda_errors.h - names and texts of the runtime's error codes. */
#ifndef WARPLOCK_CUDA_ERRORS_H
#define WARPLOCK_CUDA_ERRORS_H

/* Constants; for an unknown code both say so. */
const char *cuda_error_name(int code);
const char *cuda_error_text(int code);

#endif

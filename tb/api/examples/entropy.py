"""entropy.py - the unit bxor from Python, by ctypes: how many sets a strided walk touches.
   python3 entropy.py [path of libwarplock-units.so]"""
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libwarplock-units.so.1")
lib.wl_open_version.restype = ctypes.c_void_p
lib.wl_unit_open.restype = ctypes.c_void_p
lib.wl_unit_open.argtypes = [ctypes.c_void_p] + [ctypes.c_char_p] * 4 + [ctypes.c_size_t]
for name, arguments in (("wl_input", [ctypes.c_char_p]), ("wl_output", [ctypes.c_char_p]),
                        ("wl_set", [ctypes.c_int, ctypes.c_uint64]), ("wl_settle", []),
                        ("wl_unit_close", [])):
    getattr(lib, name).argtypes = [ctypes.c_void_p] + arguments
lib.wl_get.argtypes, lib.wl_get.restype = [ctypes.c_void_p, ctypes.c_int], ctypes.c_uint64
lib.wl_close.argtypes = [ctypes.c_void_p]

error = ctypes.create_string_buffer(1024)
library = lib.wl_open_version(1, None, error, ctypes.c_size_t(len(error)))
unit = library and lib.wl_unit_open(library, b"bxor", b"SETS=32", b"c", error, len(error))
if not unit:
    sys.exit(error.value.decode())
address, index = lib.wl_input(unit, b"addr"), lib.wl_output(unit, b"set_index")
for stride in (128, 4096, 4096 + 128):
    sets = set()
    for row in range(32):
        lib.wl_set(unit, address, stride * row)
        lib.wl_settle(unit)
        sets.add(lib.wl_get(unit, index))
    print(f"stride {stride}: {len(sets)} sets")
lib.wl_unit_close(unit)
lib.wl_close(library)

"""inputs.py FOLDER - what the kernels beside this file read, and their launch files."""

import random
import struct
import sys
from pathlib import Path

folder = Path(sys.argv[1])


def words(name, values):
    (folder / name).write_bytes(b"".join(struct.pack("<I", v & 0xFFFFFFFF) for v in values))


def launch(kernel, grid, block, **buffers):
    """Each buffer: its size in words, and the file that it is read from or dumped to."""
    text = f"[launch]\nkernel = {kernel}\ngrid = {grid}\nblock = {block}\n[args]\n"
    text += "".join(f"{name} = buffer {name}\n" for name in buffers)
    for name, (size, file) in buffers.items():
        key = "init = file" if file else "dump ="
        text += f"[buffer {name}]\nbytes = {4 * size}\n{key} {folder / (file or f'{kernel}.dump')}\n"
    (folder / f"{kernel}.ini").write_text(text)


draw = random.Random(1)
words("ids", [draw.randrange(16384) for _ in range(8192)])
words("values", [draw.randrange(2**32) for _ in range(16384)])
launch("pair", 24, 128, ids=(8192, "ids"), values=(16384, "values"), sums=(24 * 128, None))

launch("even", 64, 32, ids=(8192, "ids"), values=(16384, "values"), sums=(128 * 32, None))

lists = []
for thread in range(64):
    length = 3 + thread % 12
    lists += [1 + draw.randrange(255) for _ in range(length)] + [0] + [-1] * (15 - length)
words("lists", lists)
words("ends", [0] + [draw.randrange(1, 2**32) for _ in range(255)])
launch("listed", 1, 64, ids=(1024, "lists"), values=(256, "ends"), sums=(64, None))

#!/usr/bin/env python3
"""Makes a large .tracez out of a small one: its thread blocks again and again, as more of the grid.

    repeat.py IN.tracez OUT.tracez BYTES

Records are copied as they are; head and index are written anew.
"""
import re
import struct
import sys


def main():
    source, target, size = sys.argv[1], sys.argv[2], int(float(sys.argv[3]))
    with open(source, 'rb') as file:
        data = file.read()
    at = struct.unpack('<Q', data[-8:])[0]
    end = data.index(b'\0')
    dictionary = struct.unpack_from('<I', data, end + 1)[0]
    first = end + 9 + dictionary
    blocks, n = [], struct.unpack_from('<I', data, at)[0]
    index = at + 4
    for _ in range(n):
        start = index
        warps = struct.unpack_from('<I', data, index + 40)[0]
        index += 44
        offsets = []
        for _ in range(warps):
            offsets.append(index + 8 - start)
            index += 16 + 4 * struct.unpack_from('<I', data, index + 4)[0]
        blocks.append((data[start:index], offsets))
    records = data[first:at]
    times = max(1, size // (len(records) + sum(len(entry) for entry, _ in blocks)))
    head = re.sub(rb'-grid dim = \(\d+,\d+,\d+\)', b'-grid dim = (%d,1,1)' % (n * times), data[:end])
    shift = len(head) - end
    with open(target, 'wb') as out:
        out.write(head + data[end:first])
        for _ in range(times):
            out.write(records)
        where = first + shift + times * len(records)
        out.write(struct.pack('<I', n * times))
        for t in range(times):
            for b, (entry, offsets) in enumerate(blocks):
                entry = bytearray(entry)
                struct.pack_into('<10I', entry, 0, t * n + b, *[0] * 9)
                for offset in offsets:
                    old = struct.unpack_from('<Q', entry, offset)[0]
                    struct.pack_into('<Q', entry, offset, old + shift + t * len(records))
                out.write(entry)
        out.write(struct.pack('<Q', where))


if __name__ == '__main__':
    main()

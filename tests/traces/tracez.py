#!/usr/bin/env python3
"""Writes traces of today's tracers: sound ones in both forms, with what they hold, and damaged ones.

    tracez.py OUTDIR

An independent writer, from the description of the formats: zstd frames are put together byte by byte
(raw blocks), or come from the command zstd where a dictionary is to be used.  OUTDIR/NAME.traceg and
NAME.tracez are twins; counts.json says for each how many kernels, blocks, warp instructions, marks,
accesses of lanes and bytes are in it; bad/ has damaged containers, bad/list what each one is.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

FULL = 0xffffffff


# ---- zstd ----

def stored(text):
    """One frame of raw blocks, single segment, content size of 4 bytes."""
    out = struct.pack('<IBI', 0xfd2fb528, 0xa0, len(text))
    for at in range(0, len(text), 1 << 17):
        piece = text[at:at + (1 << 17)]
        last = at + (1 << 17) >= len(text)
        out += struct.pack('<I', len(piece) << 3 | last)[:3] + piece
    return out


def packed(text, dictionary):
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ('in', 'dict', 'out')]
        for name, data in zip(names, (text, dictionary)):
            with open(name, 'wb') as file:
                file.write(data)
        subprocess.run(['zstd', '-q', '-f', '--check', '-D', names[1], names[0], '-o', names[2]],
                       check=True)
        with open(names[2], 'rb') as file:
            return file.read()


# ---- what is traced ----

class Kernel:
    def __init__(self, name, version, binary, grid=(1, 1, 1), block=(32, 1, 1), shared=0, stream=0,
                 lineinfo=0, bases=False):
        self.name, self.version, self.binary, self.grid, self.block = name, version, binary, grid, block
        self.shared, self.stream, self.lineinfo, self.bases = shared, stream, lineinfo, bases
        self.blocks = []    # ((x, y, z), cluster id, cta, rank, [[line, ...] of each warp])
        self.chunk = 2048   # lines

    def add(self, at, warps, cluster=(0, 0, 0), cta=(0, 0, 0), rank=0):
        self.blocks.append((at, cluster, cta, rank, warps))

    def head(self):
        lines = ['-kernel name = %s' % self.name, '-kernel id = 7',
                 '-grid dim = (%d,%d,%d)' % self.grid, '-block dim = (%d,%d,%d)' % self.block,
                 '-shmem = %d' % self.shared, '-nregs = 24', '-binary version = %d' % self.binary,
                 '-cuda stream id = %d' % self.stream]
        if self.bases:
            lines += ['-shmem base_addr = 0x00007f4000000000',
                      '-local mem base_addr = 0x00007f4200000000']
        lines += ['-nvbit version = 1.7.6', '-accelsim tracer version = %d' % self.version,
                  '-enable lineinfo = %d' % self.lineinfo, '', '#traces format = as it is', '', '']
        return '\n'.join(lines)

    def text(self):
        out = self.head()
        for at, cluster, cta, rank, warps in self.blocks:
            out += '\n#BEGIN_TB\n\nthread block = %d,%d,%d\n' % at
            out += 'cluster id = %d,%d,%d\n' % cluster + 'cluster cta = %d,%d,%d\n' % cta
            out += 'cluster rank = %d\n' % rank
            for w, lines in enumerate(warps):
                out += '\nwarp = %d\ninsts = %d\n' % (w, len(lines))
                out += ''.join(line + '\n' for line in lines)
            out += '\n#END_TB\n'
        return out.encode()

    def chunks(self, lines):
        """As many lines as asked for, but never a part of a replay region."""
        out, some, depth = [], [], 0
        for line in lines:
            some.append(line)
            depth += ('REPLAY_START' in line) - ('REPLAY_END' in line)
            if len(some) >= self.chunk and depth <= 0:
                out.append(some)
                some = []
        return out + [some] if some else out

    def container(self, dictionary=b'', places=None):
        """The bytes; `places` gets the offset of every field that a test damages."""
        places = {} if places is None else places
        out = bytearray(self.head().encode() + b'\0')
        places['dict_size'] = len(out)
        out += struct.pack('<II', len(dictionary), self.chunk) + dictionary
        index = struct.pack('<I', len(self.blocks))
        for b, (at, cluster, cta, rank, warps) in enumerate(self.blocks):
            index += struct.pack('<11I', *at, *cluster, *cta, rank, len(warps))
            for w, lines in enumerate(warps):
                chunks = self.chunks(lines)
                index += struct.pack('<IIQ', len(lines), len(chunks), len(out))
                index += b''.join(struct.pack('<I', len(some)) for some in chunks)
                places['record %d %d' % (b, w)] = len(out)
                out += struct.pack('<II', len(lines), len(chunks))
                for some in chunks:
                    text = '\n'.join(some).encode()
                    frame = packed(text, dictionary) if dictionary else stored(text)
                    places.setdefault('frame', len(out) + 4)
                    out += struct.pack('<I', len(frame)) + frame
        places['index'] = len(out)
        places['end'] = len(out) + len(index)
        return bytes(out + index + struct.pack('<Q', len(out)))


def counts(kernel, accesses, size):
    lines = [line for block in kernel.blocks for warp in block[4] for line in warp]
    marks = sum('REPLAY_' in line for line in lines)
    return dict(kernels=1, blocks=len(kernel.blocks), warp_instructions=len(lines) - marks,
                replay_marks=marks, accesses=accesses, access_bytes=size)


# ---- the sound ones: (kernel, dictionary, accesses of lanes, bytes) ----

def ada():
    """Version 5: one immediate, every address mode, one dictionary, a stream, generic windows."""
    k = Kernel('ada', 5, 89, grid=(3, 1, 1), block=(64, 1, 1), shared=1024, stream=94175872876560,
               bases=True)
    for b in range(3):
        base = 0x7f0000000000 + 0x1000 * b
        warp = ['0000 ffffffff 1 R0 S2R 0 0 0 ', '0010 ffffffff 1 UR4 ULDC.64 0 0 0 ',
                '0020 ffffffff 1 R2 IMAD.WIDE 3 R0 R3 UR4 0 4 ',
                '0030 ffffffff 1 R5 LDG.E 1 R2 4 1 0x%x 4 0 ' % base,
                '0040 0000000b 1 R6 LDG.E.64 1 R2 8 2 0x%x 8 16 -7 ' % base,
                '0050 00000300 1 R8 LD.E.128 1 R2 16 0 0x00007f4000000010 0x%016x 0 ' % base,
                '0060 ffffffff 0 STS.128 2 R9 R8 16 1 0x1f0 -16 0 ',
                '0070 ffffffff 0 BAR.SYNC 0 0 0 ',
                '0080 00000000 0 STG.E 2 R2 R5 4 1 0x0 0 0 ',
                '0090 ffffffff 0 RED.E.ADD.S32 2 R2 R5 4 1 0x%x 0 0 ' % base,
                '00a0 ffffffff 1 R10 QMMA.16832.F32 3 R6 R8 R10 0 0 ',
                '00b0 00000001 1 R5 LDG.E.U8 1 R2 1 2 0x%x 9223372036854775807 ' % (base + 64),
                '00c0 ffffffff 0 EXIT 0 0 0 ']
        k.add((b, 0, 0), [warp, warp])
    lanes = 6 * (32 + 3 + 2 + 32 + 32 + 1)
    size = 6 * (32 * 4 + 3 * 8 + 2 * 16 + 32 * 16 + 32 * 4 + 1)
    return k, b'ffffffff 0 0 0 \n0010 R2 R5 LDG.E 1 R2 4 1 0x7f0000000000 4 0 EXIT', lanes, size


def hopper():
    """Version 6: clusters of 2 that are not neighbours, values, a tensor copy, an mbarrier."""
    k = Kernel('hopper', 6, 90, grid=(2, 4, 1), block=(64, 1, 1), shared=4096)
    for b in range(8):
        x, y = b % 2, b // 2
        base = 0x7f1000000000 + 0x4000 * b
        one = ['0000 00000001 1 UR255 SYNCS.EXCH.64 2 R255 UR8 8 2 0x400 0 0 Val 1 0 1 0 1 001ffffe001ffffe ',
               '0010 ffffffff 0 UCGABAR_ARV 0 0 0 0 Val ', '0020 ffffffff 0 UCGABAR_WAIT 0 0 0 0 Val ',
               '0030 00000001 0 SYNCS.ARRIVE.TRANS64 2 R3 R2 8 2 0x400 0 0 Val 1 400 1 600 ',
               '0040 00000001 0 UTMALDG.2D 0 512 0x00000400 0 1024 512 3 2 0x%016x 0x%016x -7 99 NoVal '
               % (base, base + 0x1000),
               '0050 00000000 0 UTMAPF.L2.2D 0 0 0x0 0 0 0 4 0x0 0 0 0 NoVal ',
               '0060 ffffffff 0 EXIT 0 0 0 0 NoVal ']
        two = ['0100 ffffffff 0 UCGABAR_ARV 0 0 0 0 Val ', '0110 ffffffff 0 UCGABAR_WAIT 0 0 0 0 Val ',
               '0000 ffffffff 0 REPLAY_START 0 0 0 0',
               '0120 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R4 R5 8 1 0x400 0 0 0 Val 1 400 1 0 ',
               '0000 ffffffff 0 REPLAY_END 0 0 0 0',
               '0130 ffffffff 1 R24 HGMMA.64x16x16.F32 2 UR4 R24 1 0 0 0 Val 1 3f800000 1 42 32 '
               + ' '.join('%08x' % v for v in range(32)) + ' ',
               '0140 ffffffff 0 WARPGROUP.DEPBAR.LE 0 0 0 0 Val ',
               '0150 0000000f 0 STAS.64 2 R6 R12 8 1 0x01000600 8 0 0 NoVal ',
               '0160 ffffffff 0 EXIT 0 0 0 0 NoVal ']
        k.add((x, y, 0), [one, two], (x, y // 2, 0), (0, y % 2, 0), y % 2)
    k.chunk = 3
    # SYNCS.EXCH, .ARRIVE, two elements of a copy, 32 lanes of the wait, 4 of STAS
    return k, b'', 8 * (1 + 1 + 2 + 32 + 4), 8 * (8 + 8 + 1024 + 32 * 8 + 4 * 8)


def ampere():
    """Version 6: an empty warp, a block that was not traced, lanes that are not there."""
    k = Kernel('ampere', 6, 86, grid=(3, 1, 1), block=(40, 1, 1))
    alu = ['%04x ffffffff 1 R%d IADD3 2 R0 R%d 0 %d 0 NoVal ' % (16 * i, 2 + i, i, i) for i in range(9)]
    end = ['0100 ffffffff 0 EXIT 0 0 0 0 NoVal ']
    k.add((0, 0, 0), [alu + end, []])
    k.add((2, 0, 0), [alu[:4] + end, alu + ['0100 000000ff 0 EXIT 0 0 0 0 NoVal ']])
    k.chunk = 4
    return k, b'', 0, 0


def turing():
    """Version 4: source lines, no immediates; the two lines of an LDGSTS-like pair are one."""
    k = Kernel('turing', 4, 80, lineinfo=1)
    k.add((0, 0, 0), [['3 0000 ffffffff 1 R0 S2R 0 0', '4 0010 ffffffff 0 LDGSTS.E 2 R4 R6 4 1 0x400 4',
                       '4 0010 ffffffff 0 LDGSTS.E 2 R4 R6 4 1 0x7f2000000000 4',
                       '5 0020 ffffffff 0 LDGDEPBAR 0 0', '5 0030 ffffffff 0 DEPBAR.LE 0 0 0',
                       '0 0040 ffffffff 0 EXIT 0 0']])
    return k, b'', 32, 128


SOUND = dict(ada=ada, hopper=hopper, ampere=ampere, turing=turing)


# ---- the damaged ones ----

def damaged():
    kernel, dictionary, _, _ = ada()
    places = {}
    whole = kernel.container(dictionary, places)
    index, record = places['index'], places['record 0 0']

    def poke(at, value, size=4, data=whole):
        return data[:at] + value.to_bytes(size, 'little') + data[at + size:]

    for at in (0, 20, record, index, index + 100, len(whole) - 1):
        yield 'cut at %d' % at, whole[:at]
    for value in (1 << 63, len(whole) - 8, len(whole), 0, record, index + 4, (1 << 64) - 1):
        yield 'index at %#x' % value, poke(len(whole) - 8, value, 8)
    for value in (0, 2, 4, 10 ** 7, 1 << 31, FULL):
        yield '%d blocks' % value, poke(index, value)
    for value in (0, 1, 3, 65, FULL):
        yield '%d warps' % value, poke(index + 44, value)
    for value in (0, 1, 14, FULL):
        yield 'warp of %d lines in the index' % value, poke(index + 48, value)
    for value in (0, 2, 1 << 30, FULL):
        yield 'warp of %d sub-chunks' % value, poke(index + 52, value)
    for value in (0, 4, record + 1, index, 1 << 63, (1 << 64) - 8, places['record 2 1']):
        yield 'record at %#x' % value, poke(index + 56, value, 8)
    for value in (0, 12, 14, FULL):
        yield 'sub-chunk of %d lines' % value, poke(index + 64, value)
    for value in (12, 14):
        yield '%d lines said everywhere' % value, poke(
            index + 48, value, data=poke(index + 64, value, data=poke(record, value)))
    # Loops: a later record where an earlier one is.
    yield 'record twice', poke(index + 48 + 20 + 8, record, 8)
    yield 'block twice', whole[:index + 4 + 84] + whole[index + 4:index + 16] + whole[index + 4 + 96:]
    yield 'block outside', poke(index + 4, 3)
    for value in (1, 8, 1 << 20, FULL):
        yield 'dictionary of %d bytes' % value, poke(places['dict_size'], value)
    yield 'another dictionary', whole.replace(dictionary, dictionary[::-1], 1)
    yield 'frame of 0 bytes', poke(places['frame'] - 4, 0)
    yield 'frame of 2^32-1 bytes', poke(places['frame'] - 4, FULL)
    yield 'frame without magic', poke(places['frame'], 0xfd2fb527)
    for at in range(places['frame'] + 5, places['frame'] + 60, 11):
        yield 'bit of a frame at %d' % at, poke(at, whole[at] ^ 4, 1)
    for name, line in (('PC', '00g0 ffffffff 0 EXIT 0 0 0 '), ('opcode', '0000 ffffffff 0 FROB 0 0 0 '),
                       ('empty line', ''), ('tail', '0000 ffffffff 0 EXIT 0 0 1 2 3'),
                       ('count', '0000 00000001 0 UBLKCP.S.G 0 16 0x0 0 16 0 4 0x10 4000000000 1 '),
                       ('mode', '0000 ffffffff 1 R1 LDG.E 1 R2 4 7 0x0 0 ')):
        k = Kernel('k', 5, 90)
        k.add((0, 0, 0), [[line, '0010 ffffffff 0 EXIT 0 0 0 ']])
        yield 'line: ' + name, k.container()


def main():
    folder = sys.argv[1]
    os.makedirs(os.path.join(folder, 'bad'), exist_ok=True)
    expected = {}
    for name, make in SOUND.items():
        kernel, dictionary, accesses, size = make()
        with open(os.path.join(folder, name + '.traceg'), 'wb') as file:
            file.write(kernel.text())
        with open(os.path.join(folder, name + '.tracez'), 'wb') as file:
            file.write(kernel.container(dictionary))
        expected[name] = counts(kernel, accesses, size)
    expected['turing']['warp_instructions'] -= 1  # two lines are one
    with open(os.path.join(folder, 'counts.json'), 'w') as file:
        json.dump(expected, file, indent=1)
    with open(os.path.join(folder, 'bad', 'list'), 'w') as listed:
        for n, (what, data) in enumerate(damaged()):
            with open(os.path.join(folder, 'bad', '%03d.tracez' % n), 'wb') as file:
                file.write(data)
            listed.write('%03d %s\n' % (n, what))


if __name__ == '__main__':
    main()

"""serve.py - runs a unit's executable reference for tb/golden.c:  serve.py <unit>.golden.py

The reference is a class Golden with

    Golden(p)            p.NAME: the unit's parameters; called at the start and at every reset
    outputs(self, i)     a dictionary with every output port, from the state before the edge;
                         changes nothing, may be called more than once a step
    clock(self, i)       the clock edge; a combinational unit has none

i.name is an input: an integer, or a list of integers for an array port; an output likewise.  What
the references of a family share stands beside their folders, in golden_<family>.py.  Outputs must
fit their widths: what does not is an error of the reference.  Knows no unit.
"""

import importlib.util
import json
import struct
import sys
from pathlib import Path
from types import SimpleNamespace


class Ports:
    """Inputs out of slots, outputs into slots."""

    def __init__(self, ports):
        self.ports = ports
        self.slots = struct.Struct(f"={sum(lanes for _, _, lanes, _ in ports)}Q")

    def read(self, message):
        values, at, named = self.slots.unpack_from(message, 1), 0, {}
        for name, _, lanes, is_array in self.ports:
            named[name] = list(values[at : at + lanes]) if is_array else values[at]
            at += lanes
        return SimpleNamespace(**named)

    def write(self, named):
        values = []
        for name, width, lanes, is_array in self.ports:
            elements = list(named[name]) if is_array else [named[name]]
            if len(elements) != lanes or any(not 0 <= int(v) < 1 << width for v in elements):
                raise ValueError(f"output {name} = {named[name]} is not {lanes} x {width} bits")
            values += map(int, elements)
        if len(named) != len(self.ports):
            raise ValueError(f"no such output: {set(named) - {port[0] for port in self.ports}}")
        return self.slots.pack(*values)


def load(path):
    sys.path.insert(0, str(path.parent.parent))
    spec = importlib.util.spec_from_file_location("golden", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Golden


def main():
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    unit = json.loads(reader.readline())
    parameters = SimpleNamespace(**unit["parameters"])
    inputs, outputs = Ports(unit["in"]), Ports(unit["out"])
    make = load(Path(sys.argv[1]))
    golden = make(parameters)
    size = 1 + inputs.slots.size
    while len(message := reader.read(size)) == size:
        kind = message[:1]
        if kind == b"c":
            writer.write(outputs.write(golden.outputs(inputs.read(message))))
            writer.flush()
        elif kind == b"s":
            golden.clock(inputs.read(message))
        else:
            golden = make(parameters)


main()

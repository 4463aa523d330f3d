#!/usr/bin/env bash
# kissat.sh FORMULA - kissat as CBMC calls it, which deletes the formula afterwards: what was
# asked, and the proof of an unsatisfiable one, stay in the folder $PROOFS for the checker.
stem=$PROOFS/$(basename "$1")
cp "$1" "$stem.cnf" && exec build/tools/kissat "$stem.cnf" "$stem.drat"

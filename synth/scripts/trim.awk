# trim.awk - a Liberty file without what area, delay and leakage do not need:
# the internal power tables and the cells whose line matches $LEAVE_OUT (environment).
function nesting(line, opened) {
    opened = gsub(/{/, "{", line)
    return opened - gsub(/}/, "}", line)
}
BEGIN { leave_out = ENVIRON["LEAVE_OUT"] }
skip > 0 { skip += nesting($0); next }
/^[ \t]*internal_power[ \t]*\(/ { skip = nesting($0); next }
leave_out != "" && /^[ \t]*cell[ \t]*\(/ && $0 ~ leave_out { skip = nesting($0); next }
{ print }

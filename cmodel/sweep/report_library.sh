#!/usr/bin/env bash
# report_library.sh OUT - the plotting library of the report, Vega-Lite with what it needs, as one
# script with its licences in front (BSD-3-Clause, 0.8 MB).  From npm, by exact version and hash;
# where npm gives nothing OUT is empty, and the report has tables without figures.
set -u
out=$1
mkdir -p "$(dirname "$out")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
get() { # name version sha256 script
    local archive=$work/$1-$2.tgz
    (cd "$work" && npm pack --silent "$1@$2" >/dev/null 2>&1) && [ -f "$archive" ] || { echo "report: npm has no $1 $2 for us" >&2; return 1; }
    [ "$(sha256sum "$archive" | cut -d' ' -f1)" = "$3" ] || { echo "report: $1 $2 is not what it was" >&2; return 1; }
    mkdir "$work/$1" && tar -xzf "$archive" -C "$work/$1" || return 1
    # Not every package has the text of its licence; all say which it is.
    { echo "/* $1 $2"; sed -n 's/^  "\(license\|author\)": /\1: /p' "$work/$1/package/package.json"
      cat "$work/$1/package/LICENSE" 2>/dev/null | sed 's|\*/|* /|g'; echo '*/'; } >>"$work/all.js"
    # The page ends where it says so, not inside a script.
    sed -e 's|</script|<\\/script|g' -e '/^\/\/# sourceMappingURL/d' "$work/$1/package/build/$4" >>"$work/all.js"
    echo ';' >>"$work/all.js"
}
get vega 5.33.1 1b8504b6731c5311be3269c4d84ca996a5cc293bc772283293ede20c490e16c3 vega.min.js &&
    get vega-lite 5.23.0 e4cbfdd8f6f1abe381c59cd558fd6a559c12b1496bfdf2e0c3295263a40fe4da vega-lite.min.js &&
    get vega-embed 6.29.0 ecf1ee709c2bac9e0a4ead6908114b05b62c71493e10a8a4308109bb070f8eb1 vega-embed.min.js || { echo "report: built without figures" >&2; : >"$work/all.js"; }
mv "$work/all.js" "$out"

# reference.pl - docs/reference.md out of the sources: perl tests/reference.pl, at the root of the tree.
# The table language (cmodel/units/table.h, unit.h), the sockets (cmodel/machine/plug/sockets.h), the
# counters (stats.h, identities.c, docs/nvidia_metrics.csv) and the claims (synth/cost_claims.h,
# cost_judge.h).  Exit status 1, with a line, where a counter has no row among the metrics or a row no
# counter, and where a part of a source is no longer found.
use strict;
use warnings;

my $bad = 0;
sub wrong { print STDERR "reference: @_\n"; $bad = 1 }
sub text_of { my ($file) = @_; open my $in, '<', $file or die "reference: $file: $!\n"; local $/; <$in> }
# A piece of a source; an empty one is an error.
sub piece {
    my ($file, $pattern) = @_;
    my ($found) = text_of($file) =~ $pattern;
    wrong("$file has no longer what is looked for") unless defined $found;
    $found // '';
}
# A comment without its signs.
sub plain { my ($text) = @_; $text =~ s{^\s*/?\*+/? ?}{}gm; $text =~ s{\s*\*/\s*$}{}; $text =~ s/\s+$//; $text }
sub joined { my ($text) = @_; $text = plain($text); $text =~ s/\s+/ /g; $text =~ s/^ //; $text }
sub cell { my ($text) = @_; $text =~ s/\|/\\|/g; $text }

print <<'END';
# Reference

Made from the sources by `tests/reference.pl` (`make docs`): what is to be changed is changed there.

END

# ---- tables ----
my $table = 'cmodel/units/table.h';
print "## The table of a unit\n\nFrom `$table`. A unit's folder and the rows of its `.unit` file: ",
    "`cmodel/units/unit_file.md`.\n\n```text\n",
    plain(piece($table, qr{\n \* Shared by.*?Rows:\n \*\n(.*?)\n \*/}s)), "\n```\n\n";
print "How random steps draw an input:\n\n| draw | values |\n|---|---|\n";
my $draws = piece('cmodel/units/unit.h', qr/enum unit_draw \{\n(.*?)\n\};/s);
while ($draws =~ /UNIT_DRAW_(\w+),?\s*\/\*(.*?)\*\//gs) {
    print "| `$1` | ", cell(joined($2)), " |\n";
}
print "\nWhat the rows mean for a user of the description (`cmodel/units/unit.h`):\n\n";
my $unit = text_of('cmodel/units/unit.h');
while ($unit =~ m{/\* ((?:(?!\*/).)*?) \*/\nstruct unit_(condition|held|timing|enum) \{}gs) {
    my %row = (condition => 'REQUIRE', held => 'HELD', timing => 'TIMING', enum => 'ENUM');
    print "- `$row{$2}`: ", joined($1), "\n";
}

# ---- sockets ----
my $sockets = text_of('cmodel/machine/plug/sockets.h');
print "\n## Sockets\n\n";
my ($head) = $sockets =~ m{(Two rules make.*?)\n \*/}s;
print "From `cmodel/machine/plug/sockets.h`. ", joined($head), "\n";
my $n_sockets = 0;
while ($sockets =~ m{(?:/\* ((?:(?!\*/).)*?) \*/\n)?(?:(?:enum|struct) \w+ \{[^{}]*\};\n|struct \w+;\n)*struct (\w+_socket|observer) \{\n(.*?)\n\};}gs) {
    my ($about, $name, $body) = ($1, $2, $3);
    $n_sockets++;
    print "\n### struct $name\n\n", defined $about ? joined($about) . "\n\n" : '', "| function | what it is asked or told |\n|---|---|\n";
    $body =~ s/,\n\s+(?!\*)/, /g;
    my $comment = '';
    for (split /\n(?=    \S)/, $body) {
        my $text = $_;
        if ($text =~ /^\s*\/\*/) { ($comment) = $text =~ m{/\*(.*?)\*/}s; $text =~ s{^\s*/\*.*?\*/\s*}{}s; }
        my $behind = $text =~ m{;\s*/\*(.*?)\*/}s ? $1 : '';
        if ($text =~ /\(\*(\w+)\)\((?:void \*self(?:, )?)?(.*?)\);/s) {
            print "| `$1(", cell(joined($2)), ")` | ", cell(joined($comment . ' ' . $behind)), " |\n";
            $comment = '';
        } elsif ($text =~ /;/) {
            $comment = '';
        }
    }
}
wrong("$n_sockets sockets are found, fewer than ten") if $n_sockets < 10;

# ---- counters ----
my %metric;
open my $rows, '<', 'docs/nvidia_metrics.csv' or die "reference: docs/nvidia_metrics.csv: $!\n";
while (<$rows>) {
    chomp;
    my ($counter, $metric, $how) = split /,/, $_, 3;
    next if $. == 1;
    wrong("docs/nvidia_metrics.csv:$.: write counter,metric,how") unless defined $how && $how ne '';
    wrong("docs/nvidia_metrics.csv:$.: $counter has a row already") if $metric{$counter};
    $metric{$counter} = [$metric, $how];
}
print <<'END';

## Counters

From `cmodel/machine/stats/stats.h`; `warplock run --counters` prints them, too. Beside each stands the metric of
NVIDIA's Nsight Compute (Volta and later) that comes nearest and how it differs, or why there is none
(`docs/nvidia_metrics.csv`).
END
my $stats = text_of('cmodel/machine/stats/stats.h');
my %lists = (SM_COUNTERS => 'sm', FETCH_COUNTERS => 'sm', SLOT_CLASSES => 'issue_slots', L2_COUNTERS => 'l2', DRAM_COUNTERS => 'dram');
for my $list (qw(SM_COUNTERS FETCH_COUNTERS SLOT_CLASSES L2_COUNTERS DRAM_COUNTERS)) {
    my ($body) = $stats =~ /#define $list\(C\) \\\n(.*?[^\\])\n/s or wrong("stats.h has no $list");
    print "\n| counter | unit | counts | NVIDIA's metric |\n|---|---|---|---|\n";
    while ($body =~ /C\((\w+),\s*(?:\\\n\s*)?(?:"([^"]*)",\s*(?:\\\n\s*)?)?"([^"]*)"\)/g) {
        my ($name, $unit, $counts) = ("$lists{$list}.$1", $2 // 'slots', $3);
        my $row = delete $metric{$name};
        wrong("$name has no row in docs/nvidia_metrics.csv: give a metric, or why there is none") unless $row;
        my ($metric, $how) = @{$row // ['', '']};
        print "| `$name` | $unit | ", cell($counts), " | ", ($metric ne '' ? "`$metric`: " : 'none: '), cell($how), " |\n";
    }
}
wrong("docs/nvidia_metrics.csv: $_ is no counter") for sort keys %metric;
print "\nAt the end of every kernel these hold (`cmodel/machine/stats/identities.c`):\n\n| of each | identity |\n|---|---|\n";
my $identities = text_of('cmodel/machine/stats/identities.c');
while ($identities =~ /equal\(c, "([^"]*)", [^,]*, "([^"]*)"/g) {
    print "| $1 | ", cell($2), " |\n";
}

# ---- claims ----
print "\n## Claims\n\n`synth/claims/<family>.csv`, from `synth/cost_claims.h`:\n\n```text\n",
    plain(piece('synth/cost_claims.h', qr{\n( \*   id .*?)\n \* cost_expr}s)), "\n```\n\nExpressions (`synth/cost_expr.h`):\n\n```text\n",
    plain(piece('synth/cost_expr.h', qr{\n( \*   2\*.*?)\n \*\n}s)), "\n```\n\nFigures (`synth/cost_judge.h`):\n\n```text\n",
    plain(piece('synth/cost_judge.h', qr{Figures that an expression may ask of a unit:\n(.*?)\n \*/}s)), "\n```\n";
exit $bad;

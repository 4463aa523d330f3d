# docs.pl - what comments and pages cite must be in docs/; called by tests/docs.sh with the
# files to read.  One line for each citation that leads nowhere; exit status 1 if there is one.
use strict;
use warnings;
use utf8;

# As a comment may name a document: the heading of docs/sections.md.
my %document = map { my ($to, @names) = @$_; map { $_ => $to } @names } (
    ['wang2015', 'wang2015', 'wang2015-divergence', 'Wang 2015'],
    ['caps-prefetch', 'caps-prefetch', 'caps', 'CAPS'],
    ['aci-iacm-blpp', 'aci-iacm-blpp', 'aci', 'ACI document'],
    ['tabbakh2018-coherence', 'tabbakh2018-coherence', 'tabbakh2018', 'Tabbakh 2018'],
    ['lakshminarayana2014-graph', 'lakshminarayana2014-graph', 'lakshminarayana2014',
     'Lakshminarayana 2014'],
    ['trace-format', 'trace format'],
    ['tracez-format', 'tracez format']);
my $names = join '|', map { s/ /[ ]/r } sort { length $b <=> length $a } keys %document;
my $number = qr/[0-9]+(?:\.[0-9]+)+|[0-9](?![0-9A-Za-z.])|[ABC]\.[0-9]+/;
# What may stand between the numbers of one document.
my $between = qr/\[?(?:D|TV|V|K|C|S|R|G)-?[A-Z]*-?[0-9]+[0-9.-]*\]?|Eq [0-9.]+/;

sub text_of { open my $file, '<:utf8', $_[0] or die "$_[0]: $!\n"; local $/; return <$file> }
binmode STDOUT, ':utf8';

my (%section, %any_section, %decision);
for (text_of('docs/sections.md') =~ /<a id="([^"]+)">/g) {
    $section{$_} = 1;
    $any_section{$1} = 1 if /-([0-9A-C][0-9.]*)$/;
}
my $decisions = text_of('docs/decisions.md');
$decision{$_} = 1 for $decisions =~ /<a id="([^"]+)">/g;

my $bad = 0;
sub bad {
    my ($file, $text, $at, $what) = @_;
    my $line = 1 + (substr($text, 0, $at) =~ tr/\n//);
    print "docs: $file:$line: $what\n";
    $bad = 1;
}

# "wang2015 3.12.9, D-DAC-12 and 3.18": every number up to the end of the list.
sub sections {
    my ($file, $text) = @_;
    # The marks of a continued comment become blanks, so that a list may go on over the line.
    (my $flat = $text) =~ s{\n([ \t]*(?:\*|//|#|;)?)}{"\n" . ' ' x length $1}ge;
    while ($flat =~ /(?<![\w-])($names)(?:'s)?(?:,?\s+(?:sections?|chapter)\s+|\s+(?=$number)|,\s+(?=[0-9]+\.[0-9])|",\s*(?:\.section\s*=\s*)?"(?=$number))/g) {
        my $name = $1;
        next if $name eq 'CAPS' && $& !~ /section/;
        my $at = pos $flat;
        for (my $first = 1; ; $first = 0) {
            pos($flat) = $at;
            if ($flat =~ /\G($number)/gc) {
                bad($file, $text, $at, "$name $1 is not in docs/sections.md")
                    unless $section{"$document{$name}-$1"};
            } elsif ($first || $flat !~ /\G$between/gc) {
                last;
            }
            $at = pos $flat;
            last unless $flat =~ /\G(?:,\s+(?:and\s+)?|\s+and\s+|\s+to\s+|\s*-\s*|\.\.|;\s+)(?=$number|$between)/gc;
            $at = pos $flat;
        }
        pos($flat) = $at;
    }
}

sub ids {
    my ($file, $text) = @_;
    while ($text =~ /(?<![\w-])(D-[A-Z]+-[0-9]+|D-[A-Z][0-9]+)/g) {
        bad($file, $text, pos $text, "$1 is not in docs/decisions.md") unless $decision{$1};
    }
    while ($text =~ /(?<![\w-])(TV-[A-Z]+|V-(?!D\b)[A-Z]{2,}(?=-))/g) {
        bad($file, $text, pos $text, "no vector $1 in docs/decisions.md") if index($decisions, $1) < 0;
    }
    return if $file !~ m{caps|planted};
    while ($text =~ /(?:"|\(|# )([DWQ][0-9]{1,2}[a-c]?)(?=[:),])/g) {
        bad($file, $text, pos $text, "$1 is not in docs/decisions.md") unless $decision{$1};
    }
}

# A number of three parts that names no document is a section of one of them.
sub bare_numbers {
    my ($file, $text) = @_;
    while ($text =~ m{(?<![\w.§/-])([0-9]\.[0-9]{1,2}\.[0-9]{1,2})(?![\w.])}g) {
        my ($at, $what) = (pos $text, $1);
        next if $any_section{$what} || substr($text, $at - 40 < 0 ? 0 : $at - 40, 40) =~ /PTX ISA|dissertation/;
        bad($file, $text, $at, "$what is in no document of docs/sections.md; its own section is written §$what");
    }
}

sub links {
    my ($file, $text) = @_;
    my $folder = $file =~ m{^(.*)/} ? $1 : '.';
    while ($text =~ /\]\(([^)#\s]+)[^)]*\)/g) {
        my ($at, $to) = (pos $text, $1);
        next if $to =~ /^[a-z]+:/;
        bad($file, $text, $at, "links to $to, which is not there") unless -e "$folder/$to";
    }
}

# A path of the tree that a page names exists; <unit> and * stand for something else.
sub paths {
    my ($file, $text) = @_;
    while ($text =~ m{`((?:cmodel|rtl|tb|synth|tests|waves|docs)/[\w./-]+)`}g) {
        bad($file, $text, pos $text, "names $1, which is not there") unless -e $1;
    }
}

# "`FEATURE_BITS` of fup28" and "`l1d.mshrs`": what carries a decision is in the unit's port table,
# or a key of the machine.
sub carriers {
    my ($file, $text) = @_;
    my $keys = text_of('cmodel/machine/config/config_keys.h');
    while ($text =~ /`((?:machine|clock|sm|pipe|ldst|l1d|icnt|l2|dram|host)\.([a-zA-Z_]+))`/g) {
        my ($at, $name) = (pos $text, $1);
        my ($part, $key) = split /\./, $name;
        bad($file, $text, $at, "$name is no key of the machine") unless $keys =~ /\($part, $key,/;
    }
    while ($text =~ /((?:`\w+`(?:, )?)+) (?:of|of unit) ((?:[a-z][a-z0-9_]+(?:, | and )?)+)/g) {
        my ($at, $names, $units) = (pos $text, $1, $2);
        my @tables = grep { -e } map { glob "cmodel/units/*/$_/$_.ports.h" } split /, | and /, $units;
        for my $name ($names =~ /`(\w+)`/g) {
            for (@tables) {
                bad($file, $text, $at, "$_ has no $name") unless text_of($_) =~ /\b$name\b/;
            }
        }
    }
}

for my $file (grep { -T } @ARGV) {
    my $text = text_of($file);
    if ($file =~ /\.md$/) {
        links($file, $text);
        paths($file, $text);
        carriers($file, $text) if $file =~ m{decisions\.md|planted};
    }
    next if $file =~ m{^docs/};
    while ($text =~ /\b(?:DESIGN|REVIEW)(?:\.md|\s+")/g) {
        bad($file, $text, pos $text, 'cites a page that is not in the tree');
    }
    ids($file, $text);
    sections($file, $text);
    # Claims and machine files quote places of the documents themselves.
    bare_numbers($file, $text) unless $file =~ m{\.(?:csv|ini|ptx)$|cmodel/(?:ptx|sass)/|traces/|experiments/|chapter_|report_library};
}
exit $bad;

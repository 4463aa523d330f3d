# vectors.pl - docs/vectors.md: which test of a .vec file holds which section of a document.
#
# What a test is about: the comment behind it on its line; or the comment above it, which stands for
# the tests below up to an empty line; or what docs/decisions.md says of the vector it is called
# after.  Its sections: the numbers in that comment; or those of the decisions and vectors that
# comment and name cite; or the one section that the file's opening comment names.  Exit status 1
# and a line to stderr for each test without either.
use strict;
use warnings;
use utf8;

binmode $_, ':utf8' for *STDOUT, *STDERR;
my $document = qr/wang2015|caps-prefetch|aci(?:-iacm-blpp)?|tabbakh2018(?:-coherence)?|lakshminarayana2014(?:-graph)?/;
my $list = qr/(?:(?:$document )?[0-9A]\.[0-9.]*(?:, )?)+/;    # "3.5", "wang2015 3.6, A.1"
my %anchor = ('wang2015' => 'wang2015', 'caps-prefetch' => 'caps-prefetch', 'aci' => 'aci-iacm-blpp',
              'tabbakh2018' => 'tabbakh2018-coherence',
              'lakshminarayana2014' => 'lakshminarayana2014-graph');
my (%known, %sources, %what);    # sections; id => its sections, what it is

sub lines_of { open my $file, '<:utf8', $_[0] or die "$_[0]: $!\n"; return map { chomp; $_ } <$file> }

# "wang2015 3.2, A.6": the anchors of its sections; a number without a document is of `$in`.
sub sections {
    my ($in, $text) = @_;
    my @found;
    while ($text =~ /(?<![\w-])($document)(?![\w-])|(?<![\w.§-])((?:[0-9]+|[A-C])\.[0-9.]*[0-9])(?!\w)/g) {
        if (defined $1) {
            $in = $anchor{$1 =~ s/-(?:iacm-blpp|coherence|graph)$//r};
        } elsif ($known{"$in $2"}) {
            push @found, "$in $2";
        }
    }
    return ($in, @found);
}

# "TV-CAP-1 to TV-CAP-15": all of them.
sub ids {
    my ($cell) = @_;
    $cell =~ s/(\S*?)(\d+) to \1(\d+)/join ' ', map { "$1$_" } $2 .. $3/ge;
    return $cell =~ /[^\s,]+/g;
}

# The ids of docs/decisions.md that a text cites; a letter behind the number names a part.
sub cited {
    my @tokens = $_[0] =~ /(?<![A-Za-z0-9-])((?:[A-Z]+-)*[A-Z]+-?[0-9]+[a-c]?|TV-[A-Z]+)/g;
    return grep { $sources{$_} } map { $sources{$_} ? $_ : s/[a-c]$//r } @tokens;
}

sub unique { my %seen; return grep { !$seen{$_}++ } @_ }

for (lines_of('docs/sections.md')) {
    $known{"$1 $2"} = 1 if /<a id="(.+)-([0-9A-C][0-9.]*)">/;
}
my $under = '';
for (lines_of('docs/decisions.md')) {
    $under = $anchor{$1} // $1 if /^## ([\w-]+)/;
    my @cells = split / \| /, s/^\| (?:<a id="[^"]*"><\/a>)?| \|$//gr;
    next unless /^\|/ && @cells > 2;
    for my $id (ids($cells[0])) {
        (undef, my @sections) = sections($under, $cells[-1]);
        $sources{$id} = \@sections if @sections;
        $what{$id} = $cells[1] if @cells == 4;
    }
}

my $bad = 0;
sub rows_of {
    my ($file) = @_;
    my $table = $file =~ s/vec$/ports.h/r;
    my ($row) = grep { /^UNIT\(/ } lines_of($table);
    my ($in) = sections('', $row =~ s/.*, "//r);
    my (@above, @opening, @general, $about, $named, %rows);
    for (lines_of($file)) {
        if (/^#\s*(.*)/) {
            push @above, $1;
        } elsif (/^$/) {
            push @opening, @above if !%rows;
            (@above, $about) = ();
        } elsif (/^unit/) {
            push @opening, @above;
            @above = ();
        } elsif (/^test (\S+)(?:.*?#\s*(.*))?/) {
            my ($test, $behind) = ($1, $2);
            $about = join ' ', @above if @above;
            my $comment = join '; ', grep { defined } $about, $behind;
            my $words = join '; ', grep { length } $about // '', ($behind // '') =~ s/^$list(?:: |$)//r;
            ($named, @general) = sections($in, "@opening") if !%rows;
            my @ids = cited(join ' ', $comment, $test =~ s/_/ /gr);
            (undef, my @sections) = sections($named, $comment);
            @sections = map { @{ $sources{$_} } } @ids if !@sections;
            @sections = @general if !@sections && @general == 1;
            if (!@sections) {
                print STDERR "docs: $file: no comment names the section of test $test\n";
                $bad = 1;
            }
            $words ||= join '; ', map { $what{$_} // () } @ids;
            push @{ $rows{$_} }, [$words, $test] for unique(@sections);
            @above = ();
        } else {
            @above = ();
        }
    }
    return %rows;
}

# 3.10 behind 3.9, A behind numbers.
sub key { return join '.', map { /^\d+$/ ? sprintf '%03d', $_ : $_ } split /[. ]/, $_[0] }

print <<'EOT';
# Vectors

Which test of a unit's `.vec` file holds which section of a document, in the words of the test's comment. Made by
`make docs` from the vectors; `build/warplock replay <unit>.vec --test <test>` plays one.
EOT
for my $file (sort @ARGV) {
    my %rows = rows_of($file);
    my ($unit) = $file =~ m{([^/]+)\.vec$};
    print "\n## [$unit](../$file)\n\n| section | behaviour | test |\n|---|---|---|\n";
    for my $section (sort { key($a) cmp key($b) } keys %rows) {
        my $link = "[$section](sections.md#" . ($section =~ s/ /-/r) . ')';
        print "| $link | ", $_->[0] =~ s/\|/\\|/gr, " | $_->[1] |\n" for @{ $rows{$section} };
    }
}
exit $bad;

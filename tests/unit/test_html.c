/* The writer of HTML: text cannot become markup, and what was opened is closed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/html.h"

static char path[64];
static char text[1 << 14];

static void begin(struct html *page, const char *title)
{
    strcpy(path, "/tmp/test_html_XXXXXX");
    close(mkstemp(path));
    assert_true(html_begin(page, path, title));
}

/* Ends the page; its body is then in `text`. */
static const char *body_of(struct html *page)
{
    assert_true(html_end(page));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    char *body = strstr(text, "</h1>\n"), *end = strstr(text, "\n</body>\n</html>\n");
    assert_non_null(body);
    assert_non_null(end);
    *end = '\0';
    return body + strlen("</h1>\n");
}

static void escapes(void **state)
{
    (void)state;
    struct html page;
    begin(&page, "a<b");
    html_open(&page, "a");
    html_attribute(&page, "href", "#%s", "x\" onclick=\"y");
    html_text(&page, "%s & %d > 0", "<script>", 1);
    html_close(&page);
    html_element(&page, "td", "n", "%s", "1 < 2");
    assert_string_equal(body_of(&page),
                        "<a href=\"#x&quot; onclick=&quot;y\">&lt;script&gt; &amp; 1 "
                        "&gt; 0</a><td class=\"n\">1 &lt; 2</td>");
    assert_non_null(strstr(text, "<title>a&lt;b</title>"));
    assert_non_null(strstr(text, "<h1>a&lt;b</h1>"));
}

static void closes(void **state)
{
    (void)state;
    struct html page;
    begin(&page, "t");
    html_open(&page, "table");
    html_attribute(&page, "class", "x");
    html_open(&page, "tr");
    html_open(&page, "td");
    html_close(&page);
    html_open(&page, "td");
    html_break(&page);
    html_raw(&page, "<svg></svg>");
    assert_string_equal(body_of(&page),
                        "<table class=\"x\"><tr><td></td><td><br><svg></svg></td></tr></table>");
}

static void unwritable(void **state)
{
    (void)state;
    struct html page;
    assert_false(html_begin(&page, "/nowhere/x.html", "t"));
    assert_true(html_begin(&page, "/dev/full", "t"));
    assert_false(html_end(&page));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes),
        cmocka_unit_test(closes),
        cmocka_unit_test(unwritable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

//! Rules of ShellCheck that are scored: kind, severity, code, what it reports. Its own pages explain them.
//!
//! The set is explicit and versioned (`rule_set::VERSION`), as that of ruff is. Left out is what needs other files than the
//! one that is read (names that are assigned elsewhere, files that are sourced), what a native rule says already, what is
//! about the script as a file (a missing first line), and `local`, which every shell called `sh` has today.

use crate::category::density;
use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

/// A lint about maintainability. Its cost is that in a file of a hundred logical lines.
const fn lint(severity: Severity) -> Rule {
    Rule {
        tool: Tool::Shellcheck,
        code: "",
        aliases: &[],
        category: Category::Maintainability,
        severity,
        cost: density::cost(severity, 100),
        blocking: false,
        summary: "",
        help: "",
        explanation: "",
        examples: &[],
        cwe: None,
        since: "0.1.0",
    }
}

/// Something that an attacker, or an empty variable, makes use of.
const fn risk(severity: Severity) -> Rule {
    Rule { category: Category::Security, cost: density::flat_lint_cost(severity), ..lint(severity) }
}

/// Work done for nothing.
const fn slow(severity: Severity) -> Rule {
    Rule { category: Category::Performance, cost: density::flat_lint_cost(severity), ..lint(severity) }
}

macro_rules! shellcheck_rules {
    ($($kind:ident $severity:ident $code:literal $summary:literal;)+) => {
        /// The selection, in order of code within each group.
        pub const RULES: &[Rule] = &[$(Rule {
            code: $code,
            summary: $summary,
            explanation: concat!("ShellCheck explains it at <https://www.shellcheck.net/wiki/", $code, ">."),
            ..$kind(Severity::$severity)
        }),+];
    };
}

shellcheck_rules! {
    // Code that does not do what it says.
    lint High "SC1007" "An assignment with a space behind `=`, which runs the value as a command instead.";
    lint High "SC1010" "A `;` or a line end that is missing before `done`, which makes the word an argument.";
    lint Medium "SC1017" "A carriage return at the end of a line, which becomes a part of the last word.";
    lint High "SC1035" "A space that is missing beside `[` or `{`, so that the word is another one.";
    lint Medium "SC1037" "`$10` and above without braces, which is `$1` and a digit.";
    lint High "SC1065" "Parameters between the parentheses of a function, where the shell wants none.";
    lint High "SC1066" "A `$` on the left side of an assignment.";
    lint High "SC1068" "Spaces around `=` in an assignment, which runs the name as a command.";
    lint High "SC1069" "A space that is missing between a keyword and what follows it.";
    lint Low "SC1075" "`else if` on one line, which wants a `fi` of its own.";
    lint Medium "SC1078" "A quotation mark that seems to be closed too late.";
    lint Medium "SC1083" "A brace that stands for itself where a group or a list was meant.";
    lint Medium "SC1087" "An element of an array without braces around the name and the index.";
    lint Medium "SC1097" "`==` where a value is assigned.";
    lint Medium "SC1105" "`((` that some shells read as two subshells.";
    lint Medium "SC1115" "Spaces between the `#` and the `!` of the first line.";
    lint Low "SC2010" "The output of `ls` looked through with `grep`, which breaks names with special signs.";
    lint Low "SC2012" "The output of `ls` used as a list of files, which breaks names with special signs.";
    lint Low "SC2013" "Words of a file read with `for` where lines are meant.";
    lint Low "SC2014" "A command substitution that is expanded before `find` runs it.";
    lint Low "SC2015" "`a && b || c` as if it were `if`: `c` runs as well when `b` fails.";
    lint Low "SC2016" "An expansion in single quotes, where nothing is expanded.";
    lint Medium "SC2018" "Letters in the `a-z` of `tr`, which accents are none of.";
    lint Low "SC2020" "A word for `tr`, which replaces letters and no words.";
    lint Low "SC2022" "A pattern that is a regular expression for `grep` and looks like a glob.";
    lint Medium "SC2024" "`sudo` before a redirect, which the shell makes without its rights.";
    lint Low "SC2025" "Escape sequences in a prompt that are not marked as taking no room.";
    lint Low "SC2026" "A word between single quotes that are closed too early.";
    lint Low "SC2027" "A value between quotes that take away the quoting.";
    lint Low "SC2028" "Escape sequences for `echo`, which not every shell expands.";
    lint Low "SC2029" "A value in a command for `ssh` that is expanded on this side.";
    lint Medium "SC2030" "An assignment in a subshell, which ends with it.";
    lint Medium "SC2031" "A variable that was assigned in a subshell, and has its old value here.";
    lint Medium "SC2032" "A function that `sudo` or `xargs` is asked to run, which know only programs.";
    lint Medium "SC2033" "A function that is handed to a program, which cannot call it.";
    lint Low "SC2034" "A variable that is never used.";
    lint Low "SC2035" "A glob that may begin with `-`, so that a name is taken for an option.";
    lint High "SC2036" "A command whose output should be assigned, and which is run in a pipe with the assignment.";
    lint Low "SC2038" "`find` into `xargs` without `-print0`, which breaks names with spaces.";
    lint Medium "SC2040" "`#` where a number of arguments was meant, which begins a comment.";
    lint Medium "SC2041" "A text in quotes as the list of a `for`, which is one word.";
    lint Medium "SC2043" "A loop that runs once, because its list is one word.";
    lint Low "SC2044" "`for` over the output of `find`, which breaks names with spaces.";
    lint Medium "SC2045" "`for` over the output of `ls`, which breaks names with special signs.";
    lint Medium "SC2046" "The output of a command without quotes, which is split into words and matched as a pattern.";
    lint Medium "SC2048" "`$*` without quotes, which splits arguments with spaces.";
    lint High "SC2049" "A glob after `=~`, which takes a regular expression.";
    lint High "SC2050" "A comparison of two constants, which is always the same.";
    lint High "SC2051" "A range in braces with a variable in it, which is not expanded.";
    lint High "SC2053" "The right side of `=` without quotes in `[[ ]]`, which is a pattern.";
    lint Medium "SC2054" "Commas between the elements of an array, which belong to the words.";
    lint Low "SC2059" "A value as the format of `printf`, whose `%` and `\\` are obeyed.";
    lint Medium "SC2060" "A pattern for `tr` without quotes, which names of files may replace.";
    lint Medium "SC2061" "A pattern for `find` without quotes, which names of files may replace.";
    lint Medium "SC2062" "A pattern for `grep` without quotes, which names of files may replace.";
    lint Medium "SC2063" "A pattern for `grep` that looks like a glob.";
    lint Medium "SC2064" "A `trap` in double quotes, which is expanded now and not when it runs.";
    lint High "SC2066" "A list in double quotes, so that the loop runs once.";
    lint Medium "SC2067" "A `;` that is missing behind `-exec`.";
    lint High "SC2068" "`$@` or an array without quotes, which splits what it holds.";
    lint High "SC2069" "`2>&1` before the redirect that it was meant to follow.";
    lint High "SC2070" "`-n` with a value without quotes, which is always true.";
    lint High "SC2071" "`>` and `<` for numbers, which compare texts or write files.";
    lint Medium "SC2072" "A decimal fraction in a comparison of integers.";
    lint High "SC2073" "`<` or `>` in `[ ]` without an escape, which is a redirect.";
    lint High "SC2074" "`=~` in `[ ]`, which knows no regular expressions.";
    lint Low "SC2075" "An escaped `<` or `>` in `[[ ]]`.";
    lint Medium "SC2076" "A regular expression in quotes, which is compared as text.";
    lint High "SC2077" "A comparison without spaces, which is one word and always true.";
    lint High "SC2078" "A constant as a condition, which is always true.";
    lint High "SC2079" "A decimal fraction in arithmetic, which the shell does not know.";
    lint Medium "SC2080" "A number with a leading zero, which is octal.";
    lint Medium "SC2081" "A glob in `[ ]`, which compares texts.";
    lint High "SC2082" "A name made from a variable, which the shell does not look up.";
    lint High "SC2084" "Arithmetic as a command, whose result is run.";
    lint Low "SC2086" "A value without quotes, which is split into words and matched as a pattern.";
    lint Medium "SC2087" "Text for a remote host whose variables are expanded on this side.";
    lint High "SC2088" "`~` in quotes, which is no home folder.";
    lint Medium "SC2089" "Quotes in a value, which are no quotes when it is expanded.";
    lint Medium "SC2090" "A value with quotes in it, which are not obeyed here.";
    lint Medium "SC2091" "The output of a command as a command.";
    lint Medium "SC2092" "The output of a command between backticks as a command.";
    lint Low "SC2094" "A file that is read and written in the same pipeline, which empties it first.";
    lint Medium "SC2095" "A command in a loop over lines that reads the rest of them itself, such as `ssh`.";
    lint Medium "SC2096" "More than one argument after the interpreter, which most kernels pass as one.";
    lint Medium "SC2097" "A variable before a command that only that command sees.";
    lint Medium "SC2098" "A value that does not see the assignment before it.";
    lint Low "SC2099" "Arithmetic that is assigned as text.";
    lint Low "SC2100" "Arithmetic that is assigned as text.";
    lint Low "SC2101" "A character class without its second brackets.";
    lint Low "SC2102" "A range with more than one sign on a side, which is a set.";
    lint Low "SC2103" "`cd ..` as the way back, which goes astray when the way there failed.";
    lint High "SC2104" "`break` or `continue` in a function, where `return` was meant.";
    lint High "SC2105" "`break` or `continue` outside of a loop.";
    lint Medium "SC2106" "`break` or `continue` in a subshell, which ends only that.";
    lint High "SC2107" "`&&` inside `[ ]`, which ends the test.";
    lint High "SC2108" "`-a` inside `[[ ]]`, which is no operator there.";
    lint High "SC2109" "`||` inside `[ ]`, which ends the test.";
    lint High "SC2110" "`-o` inside `[[ ]]`, which is no operator there.";
    lint Low "SC2112" "`function`, which sh does not know.";
    lint Low "SC2113" "`function name()`, which sh does not know.";
    lint Low "SC2119" "A function that reads arguments, called without any.";
    lint Medium "SC2120" "A function that reads arguments, and never gets any.";
    lint High "SC2121" "`set` for an assignment, which sets the arguments.";
    lint High "SC2122" "`>=`, which is no operator of `[ ]`.";
    lint Medium "SC2123" "An assignment to `PATH`, without which no program is found.";
    lint Medium "SC2124" "An array assigned to a plain variable.";
    lint Medium "SC2125" "A glob or braces in an assignment, which are not expanded.";
    lint Low "SC2128" "An array without an index, which is its first element.";
    lint Low "SC2129" "One redirect after the other to the same file.";
    lint Medium "SC2130" "`-eq` for texts, which compares numbers.";
    lint Low "SC2139" "An alias in double quotes, which is expanded where it is defined.";
    lint Low "SC2140" "A word whose inner quotes end the outer ones.";
    lint Medium "SC2141" "A backslash in `IFS`, which is a sign of its own.";
    lint Medium "SC2142" "A parameter in an alias, which has none.";
    lint High "SC2144" "`-e` with a glob, which fails for more than one file.";
    lint High "SC2145" "An array inside a text, which is split in the middle of it.";
    lint Medium "SC2146" "Actions of `find` after `-o` that belong to one side alone.";
    lint Medium "SC2147" "`~` in `PATH` inside quotes, which not every program expands.";
    lint High "SC2149" "A `$` before a number as the index of an array, which needs none.";
    lint Medium "SC2150" "A builtin or several commands for `-exec`, which starts one program.";
    lint High "SC2151" "`return` with more than one value.";
    lint High "SC2152" "`return` with a value above 255 or a text.";
    lint Medium "SC2155" "A declaration that hides whether the command whose output it takes has failed.";
    lint Medium "SC2157" "`-n` with a constant, which is always true.";
    lint Medium "SC2158" "`[ false ]`, which is true.";
    lint Medium "SC2159" "`[ 0 ]`, which is true.";
    lint Medium "SC2160" "`[ true ]` in place of `true`.";
    lint Medium "SC2161" "`[ 1 ]` in place of `true`.";
    lint Low "SC2162" "`read` without `-r`, which takes backslashes away.";
    lint Medium "SC2163" "`export` of a value, where the name was meant.";
    lint Medium "SC2164" "`cd` that may fail, after which the script goes on in the wrong folder.";
    lint Low "SC2165" "A loop inside another one over the same variable.";
    lint Low "SC2166" "`-a` and `-o` in `[ ]`, which are not well defined.";
    lint Low "SC2167" "A loop whose variable another loop inside it takes.";
    lint Medium "SC2168" "`local` outside of a function.";
    lint High "SC2170" "A text compared as a number.";
    lint Low "SC2172" "A signal by its number, which differs between systems.";
    lint Medium "SC2173" "A trap for a signal that cannot be trapped.";
    lint Low "SC2174" "`mkdir -p` with a mode, which only the last folder gets.";
    lint Medium "SC2175" "A list in braces that is none, handed to `eval` without quotes.";
    lint Low "SC2176" "`time` for a pipeline in sh, which measures the first command.";
    lint Medium "SC2178" "A text assigned to an array.";
    lint Medium "SC2179" "A text added to an array, which changes its first element.";
    lint Low "SC2181" "`$?` asked for in a test, where the command itself can stand.";
    lint Low "SC2182" "`printf` with arguments for a format that takes none.";
    lint Medium "SC2183" "`printf` with fewer arguments than its format takes.";
    lint Medium "SC2184" "`unset` of an element without quotes, which names of files may replace.";
    lint Low "SC2186" "`tempfile`, which is gone from most systems.";
    lint Medium "SC2188" "A redirect without a command.";
    lint High "SC2189" "A pipe with a redirect and nothing else on one side.";
    lint Medium "SC2190" "Elements of an associative array without keys.";
    lint Low "SC2191" "`=` in an element of an array, where a key may have been meant.";
    lint Low "SC2192" "An empty element, because of a space behind `=`.";
    lint High "SC2193" "A comparison of texts that can never be equal.";
    lint High "SC2194" "A `case` over a constant.";
    lint High "SC2195" "A pattern of a `case` that can never match.";
    lint Low "SC2196" "`egrep`, which is deprecated.";
    lint Low "SC2197" "`fgrep`, which is deprecated.";
    lint Medium "SC2198" "An array in `[ ]`, which is more than one word.";
    lint High "SC2199" "An array in `[[ ]]`, which becomes one text.";
    lint Medium "SC2200" "Braces in `[ ]`, which takes one word.";
    lint Medium "SC2201" "Braces in `[[ ]]`, which are not expanded.";
    lint Medium "SC2202" "A glob in `[ ]`, which takes one word.";
    lint Medium "SC2203" "A glob in `[[ ]]` on the left side, which is text.";
    lint Medium "SC2204" "Parentheses where the brackets of a test were meant.";
    lint Medium "SC2205" "Parentheses where the brackets of a test were meant.";
    lint Medium "SC2206" "A value without quotes in an array, which is split.";
    lint Medium "SC2207" "The output of a command in an array, which is split.";
    lint Medium "SC2208" "`-v` with a glob in its index.";
    lint Medium "SC2209" "A command's name assigned where its output was meant.";
    lint High "SC2210" "A redirect to a file that is called like a number.";
    lint Low "SC2213" "An option of `getopts` that no branch deals with.";
    lint Low "SC2214" "A branch for an option that `getopts` does not know.";
    lint Medium "SC2215" "A flag as a command, because of a line that ended too early.";
    lint Medium "SC2216" "A pipe into a command that does not read.";
    lint Medium "SC2217" "A redirect to a command that does not read.";
    lint High "SC2218" "A function that is called before it is defined.";
    lint Low "SC2219" "`let`, where `(( ))` says the same.";
    lint Medium "SC2221" "A pattern of a `case` that hides a later one.";
    lint Medium "SC2222" "A pattern of a `case` that never matches, because an earlier one does.";
    lint Low "SC2223" "A default without quotes, which is matched as a pattern.";
    lint Medium "SC2224" "`mv` without a place to move to.";
    lint Medium "SC2225" "`cp` without a place to copy to.";
    lint Medium "SC2226" "`ln` without a place to link to.";
    lint Medium "SC2227" "A redirect that belongs to `find` and not to what it runs.";
    lint High "SC2229" "`read` into a value, where the name was meant.";
    lint Low "SC2230" "`which`, which is not on every system.";
    lint Low "SC2231" "A value in a list of globs without quotes.";
    lint Medium "SC2232" "`sudo` before a builtin, which is no program.";
    lint Low "SC2236" "`! -z`, where `-n` says the same.";
    lint Low "SC2237" "`! [ -n ]`, where `[ -z ]` says the same.";
    lint High "SC2238" "A redirect to a file that is called like a command.";
    lint Medium "SC2239" "An interpreter without its folder.";
    lint Low "SC2240" "Arguments for `.`, which sh ignores.";
    lint High "SC2241" "An exit code that is a text.";
    lint High "SC2242" "An exit code above 255.";
    lint Low "SC2243" "A command's output as a condition.";
    lint Low "SC2244" "A value as a condition without `-n`.";
    lint High "SC2245" "A test of files with a glob, which looks at the first name alone.";
    lint High "SC2246" "A shebang that names a folder.";
    lint High "SC2247" "A value or output in quotes the wrong way round.";
    lint High "SC2251" "`!` at the beginning of a command whose failure should stop the script.";
    lint High "SC2252" "A condition that is true for every value.";
    lint Low "SC2253" "`-r` for `chmod`, which takes permissions away, where `-R` goes through folders.";
    lint Medium "SC2254" "A value as a pattern of a `case` without quotes.";
    lint High "SC2255" "Arithmetic without `$(( ))` in `[ ]`.";
    lint High "SC2256" "A text to be translated that is called like a variable.";
    lint Medium "SC2257" "A change of a variable by the arithmetic in a redirect, which may be lost.";
    lint High "SC2258" "A comma behind an element of a `for`.";
    lint Medium "SC2259" "A redirect that takes the input away from a pipe.";
    lint Medium "SC2260" "A redirect that takes the output away from a pipe.";
    lint Medium "SC2261" "Two redirects of the same stream.";
    lint Medium "SC2262" "An alias that is used before the shell knows it.";
    lint Medium "SC2263" "A command that is called like an alias which the shell does not know yet.";
    lint High "SC2264" "A function that calls itself where the command was meant.";
    lint Medium "SC2265" "`&` where `&&` was meant.";
    lint Medium "SC2266" "`|` where `||` was meant.";
    lint Medium "SC2267" "`xargs -i`, which is deprecated.";
    lint Low "SC2268" "`x` before both sides of a comparison, which no shell has needed for long.";
    lint Low "SC2269" "A variable assigned to itself.";
    lint High "SC2270" "`$1=` for an assignment, which runs a command.";
    lint High "SC2271" "An assignment to a name that is made from a variable.";
    lint High "SC2272" "A comparison as a command, without `[ ]`.";
    lint High "SC2273" "A row of `=`, as a merge leaves it.";
    lint High "SC2274" "A row of `=` at the beginning of a command.";
    lint High "SC2275" "A command whose name begins with `=`.";
    lint High "SC2276" "A command that is called like an assignment.";
    lint High "SC2277" "An assignment to `$0`, which bash calls `BASH_ARGV0`.";
    lint High "SC2278" "`$0` on the left side of an assignment.";
    lint High "SC2279" "`$0` on the left side of an assignment.";
    lint High "SC2280" "`$0` on the left side of an assignment.";
    lint High "SC2281" "A `$` on the left side of an assignment.";
    lint High "SC2282" "A variable whose name begins with a digit.";
    lint High "SC2283" "Spaces around `=`, which runs a command.";
    lint High "SC2284" "`==` where a value is assigned.";
    lint High "SC2285" "`+=` with spaces around it, which runs a command.";
    lint High "SC2286" "An empty text as a command.";
    lint High "SC2287" "A command whose name ends with a slash.";
    lint High "SC2288" "A command whose name ends with a sign.";
    lint High "SC2289" "A command whose name has a line end or a tab in it.";
    lint High "SC2290" "A space before the `=` of a declaration.";
    lint Medium "SC2291" "Several spaces that `echo` makes one.";
    lint High "SC2293" "`eval` of quoted elements one by one, where `*` puts them together.";
    lint Medium "SC2295" "A value inside `${ }` without quotes of its own, which is a pattern.";
    lint High "SC2296" "An expansion that begins with a sign that it cannot begin with.";
    lint High "SC2297" "Quotes around the name in `${ }`.";
    lint High "SC2298" "`$` inside `${ }` before the name.";
    lint High "SC2299" "An expansion inside another one.";
    lint High "SC2300" "An expansion of what a command prints, which has no name.";
    lint High "SC2301" "An expansion that begins with a sign that it cannot begin with.";
    lint Low "SC2302" "A loop over the values of an array that uses them as keys.";
    lint Low "SC2303" "A value of an array used as its key.";
    lint Medium "SC2304" "`*` in `expr` without an escape, which names of files may replace.";
    lint Medium "SC2305" "A regular expression for `expr` without quotes.";
    lint Low "SC2306" "A sign for `expr` without an escape, which names of files may replace.";
    lint Low "SC2307" "`expr` with its operators inside one word.";
    lint Low "SC2308" "`expr` with words whose result is not well defined.";
    lint High "SC2309" "A word in `-eq` that is a variable's name by accident.";
    lint Medium "SC2313" "The index of an array without quotes, which names of files may replace.";
    lint Low "SC2314" "`!` in a test of bats, which does not fail it.";
    lint Medium "SC2315" "`!` in a test of bats, which does not fail it.";
    lint High "SC2316" "A builtin among the names that another one declares.";
    lint Low "SC2317" "A command that is never reached.";
    lint High "SC2318" "An assignment that is used in the same declaration.";
    lint Medium "SC2319" "`$?` of a condition, where that of a command was meant.";
    lint Medium "SC2320" "`$?` of `echo`, where that of the command before was meant.";
    lint Low "SC2321" "Arithmetic inside an index, which is arithmetic anyway.";
    lint Low "SC2322" "Two layers of parentheses in arithmetic.";
    lint Low "SC2323" "Parentheses in arithmetic that change nothing.";
    lint Medium "SC2324" "`+=` that adds digits as text.";
    lint High "SC2325" "More than one `!` before a command.";
    lint High "SC2326" "`!` inside a pipeline.";
    lint Medium "SC2327" "A substitution that is empty, because its output goes elsewhere.";
    lint Medium "SC2328" "A redirect that takes the output away from a substitution.";
    lint Low "SC2329" "A function that is never called.";
    lint Low "SC2331" "`-a` for a file that is there, where `-e` is clear.";
    lint High "SC2332" "`! -o` in a test, which is always true.";
    lint Medium "SC2333" "A condition that can only be one way.";
    lint Medium "SC2334" "A condition that can only be one way.";
    lint Medium "SC2335" "A `!` before a comparison, where the opposite one is clear.";
    // What sh does not have, in a script that begins with it.
    lint Medium "SC3001" "A process substitution in sh.";
    lint Medium "SC3003" "`$'…'` in sh.";
    lint Medium "SC3005" "A loop with three parts in sh.";
    lint Medium "SC3006" "`(( ))` in sh.";
    lint Medium "SC3010" "`[[ ]]` in sh.";
    lint Medium "SC3011" "A here-string in sh.";
    lint Medium "SC3012" "A comparison of texts by order in `[ ]` in sh.";
    lint Medium "SC3014" "`==` in `[ ]` in sh.";
    lint Medium "SC3015" "`=~` in `[ ]` in sh.";
    lint Medium "SC3016" "`-v` in `[ ]` in sh.";
    lint Medium "SC3018" "`++` in sh.";
    lint Medium "SC3019" "`**` in sh.";
    lint Medium "SC3020" "`&>` in sh.";
    lint Medium "SC3021" "`>&` with a file in sh.";
    lint Medium "SC3024" "`+=` in sh.";
    lint Medium "SC3028" "A variable of bash in sh.";
    lint Medium "SC3030" "An array in sh.";
    lint Medium "SC3036" "A flag for `echo` but `-n` in sh.";
    lint Medium "SC3044" "A builtin of bash in sh.";
    lint Medium "SC3045" "An option of a builtin that sh does not have.";
    lint Low "SC3046" "`source` in sh, where `.` says the same.";
    lint Medium "SC3048" "The names of signals with `SIG` in sh.";
    lint Medium "SC3051" "`source` in sh, where `.` says the same.";
    lint Medium "SC3053" "`${!name}` in sh.";
    lint Medium "SC3054" "An element of an array in sh.";
    lint Medium "SC3055" "The keys of an array in sh.";
    lint Medium "SC3057" "A part of a text by its position in sh.";
    lint Medium "SC3059" "A change of case in an expansion in sh.";
    lint Medium "SC3060" "A replacement in an expansion in sh.";
    // Old ways of saying something.
    lint Low "SC2003" "`expr`, where `$(( ))` says the same.";
    lint Low "SC2006" "Backticks, which cannot be nested.";
    lint Low "SC2007" "`$[ ]`, which is deprecated.";
    // What can be taken for a command, or removes what it should not.
    risk High "SC2114" "The removal of a folder of the system.";
    risk High "SC2115" "The removal of a path that begins with a value, which is `/` when it is empty.";
    risk High "SC2156" "A name that `find` puts into the text of a command.";
    risk Medium "SC2294" "`eval` of all arguments, which reads them a second time as code.";
    // Processes that do nothing.
    slow Low "SC2001" "`sed` for what an expansion does.";
    slow Low "SC2002" "`cat` for one file, which the next command can read itself.";
    slow Low "SC2005" "`echo` of a command's output, which is its output.";
    slow Low "SC2116" "`echo` inside a substitution, which is the text itself.";
    slow Low "SC2126" "`grep` into `wc -l`, where `grep -c` counts.";
    slow Low "SC2143" "The output of `grep` as a condition, where `grep -q` stops at the first match.";
    slow Low "SC2233" "A subshell around a condition.";
    slow Low "SC2234" "A subshell around a condition.";
    slow Low "SC2235" "A subshell around a condition.";
}

"""Reads the commands of shell text, with the place of each word.

Invariant: nothing is run or expanded. Each character is read once for each level of nesting, levels have a limit, and
text that is not shell ends the reading; earlier commands stay.
"""

from __future__ import annotations

import re
from typing import final

from transpile.model.records import replace
from transpile.repository.shell_words import CONDITIONS, MAKE, NAME, SHELL, OpenText, ShellCommand, ShellWord

DEEPEST = 40  # levels of `$( )`, quotes and groups
LONGEST_BRACES = 200  # characters of `{{ … }}`
OPENING = ("if", "elif", "while", "until", "then", "do", "else", "{", "!", "time")
CLOSING = ("fi", "done", "esac", "}")
OPERATOR = re.compile(r"&&|\|\||\|&|;;&|;;|;&|;|&|\|")
REDIRECTION = re.compile(r"(?:\d*|&)(?:>>|>\||>&|<&|<<<|<<-?|<>|>|<)|\{\w+\}[<>]")
BLOCKS = ("if", "for", "while", "until", "case", "{")
BLOCK = re.compile(r"(?:if|for|while|until|case|fi|done|esac|\{|\})(?=[\s;|&)]|$)")
PIPE = re.compile(r"\|(?!\|)")
HERE_DOCUMENT = re.compile(r"\d*<<-?")
FUNCTION = re.compile(r"\(\s*\)")
BLANK = re.compile(r"(?:[ \t\r]|\\\r?\n)+")
PLAIN = re.compile(r"[^\s\"'`$\\|&;()<>{#]+")
IN_QUOTES = re.compile(r"[^\"`$\\]+")


class TooDeep(Exception):
    """More levels than DEEPEST."""


@final
class ShellReader:
    """Reads a part of a text. `commands`: in the order of their ends; `comments`: their places; `is_complete`: whether
    all of it could be read.
    """

    def __init__(self, text: str, start: int = 0, end: int | None = None, dialect: str = SHELL) -> None:
        self.text, self.limit, self.dialect = text, len(text) if end is None else end, dialect
        self.commands: list[ShellCommand] = []
        self.comments: list[tuple[int, int]] = []
        self.waiting: list[OpenText] = []
        self.captured: list[tuple[int, int]] = []  # the numbers of commands in groups whose output is read
        self.bodies: dict[int, list[tuple[int, int]]] = {}
        self.is_complete = True
        self.at = start

    def read_commands(self) -> list[ShellCommand]:
        """All commands, those inside `$( )` and quotes included."""
        try:
            while self.at < self.limit:
                self.read_list("", 0, captured=False)
                if self.at < self.limit:  # a closing parenthesis that nothing opened
                    self.is_complete = False
                    self.at += 1
        except TooDeep:
            self.is_complete = False
        commands = list(self.commands)
        for index, bodies in self.bodies.items():
            commands[index] = replace(commands[index], texts=tuple(bodies))
        level, changes = 0, [0] * (len(commands) + 1)
        for begin, end in self.captured:
            changes[begin] += 1
            changes[end] -= 1
        for index, command in enumerate(commands):
            level += changes[index]
            if level and not command.is_captured:
                commands[index] = replace(command, is_captured=True)
        return commands

    # lists of commands

    def read_list(self, closing: str, depth: int, *, captured: bool) -> None:
        """Reads commands up to `closing` (`)`, a backquote, or empty for the end), which is read, too."""
        if depth > DEEPEST:
            raise TooDeep
        before, cases = "", 0
        blocks: list[int] = []  # for each open `if`, loop or `{`, the number of commands in front of it
        while self.at < self.limit:
            self.skip_blanks()
            if self.at >= self.limit:
                break
            char = self.text[self.at]
            if char == "\n":
                self.read_line_end()
                before = before if before in ("&&", "||", "|", *CONDITIONS) else ""
            elif char == closing:
                self.at += 1
                return
            elif char == "#":
                self.skip_comment()
            elif char == ")":
                return
            elif char == "(":
                before = self.read_group(depth)
            elif (operator := OPERATOR.match(self.text, self.at, self.limit)) is not None:
                self.at = operator.end()
                before = operator[0] if operator[0] in ("&&", "||", "|", "|&") else ""
                if cases and operator[0].startswith(";;"):
                    cases -= not self.skip_pattern()
            else:
                if (word := BLOCK.match(self.text, self.at, self.limit)) is not None:
                    self.follow_block(word[0], blocks)
                before, cases = self.read_command(before, cases, closing, depth, captured=captured)
        if closing:
            self.is_complete = False

    def follow_block(self, word: str, blocks: list[int]) -> None:
        """Notes the beginning of a block. At its end, the commands of a block whose output is read are marked."""
        if word in BLOCKS:
            blocks.append(len(self.commands))
        elif blocks:
            begin, after = blocks.pop(), self.at + len(word)
            blank = BLANK.match(self.text, after, self.limit)
            if PIPE.match(self.text, blank.end() if blank is not None else after, self.limit) is not None:
                self.captured.append((begin, len(self.commands)))

    def read_group(self, depth: int) -> str:
        """Reads `( )` with commands, or skips `(( ))` with arithmetic. Returns the operator behind it."""
        if self.text.startswith("((", self.at):
            self.skip_arithmetic(depth)
        else:
            begin = len(self.commands)
            self.at += 1
            self.read_list(")", depth + 1, captured=False)
            self.skip_blanks()
            if PIPE.match(self.text, self.at, self.limit) is not None:
                self.captured.append((begin, len(self.commands)))
        self.skip_blanks()
        operator = OPERATOR.match(self.text, self.at, self.limit)
        if operator is None:
            return ""
        self.at = operator.end()
        return operator[0] if operator[0] in ("&&", "||", "|", "|&") else ""

    def skip_arithmetic(self, depth: int) -> None:
        if depth > DEEPEST:
            raise TooDeep
        level, begin = 0, self.at
        while self.at < self.limit:
            char = self.text[self.at]
            if char == "$":
                self.read_dollar(depth + 1)
                continue
            level += (char == "(") - (char == ")")
            self.at += 1
            if level == 0:
                return
            if char == "\n" and self.at - begin > 2000:
                break
        self.is_complete = False

    def read_command(self, before: str, cases: int, closing: str, depth: int, *, captured: bool) -> tuple[str, int]:
        """Reads a simple command. Returns the operator or word behind it, and how many `case` are open."""
        words: list[ShellWord] = []
        redirections: list[tuple[int, int]] = []
        opened: list[OpenText] = []
        start = self.at
        while self.at < self.limit:
            self.skip_blanks()
            if self.at >= self.limit:
                break
            char = self.text[self.at]
            if char == "\n" or (char == closing and closing) or char == ")":
                break
            if char == "#" and (self.at == 0 or self.text[self.at - 1] in " \t\n;"):
                self.skip_comment()
                break
            if char in "<>" and self.text.startswith("(", self.at + 1):
                words.append(self.read_word(closing, depth))
                continue
            redirection = REDIRECTION.match(self.text, self.at, self.limit)
            if redirection is not None:
                self.read_redirection(redirection, closing, depth, redirections, opened)
                continue
            if OPERATOR.match(self.text, self.at, self.limit) is not None:
                break
            if char == "(":
                is_named = len(words) == 1 or (len(words) == 2 and words[0].value == "function")
                if is_named and FUNCTION.match(self.text, self.at, self.limit):
                    self.at = self.text.index(")", self.at) + 1
                    return "", cases
                if self.text.startswith("((", self.at):  # for ((i = 0; …))
                    self.skip_arithmetic(depth)
                    continue
                self.is_complete = False
                self.at += 1
                continue
            at = self.at
            word = self.read_word(closing, depth)
            if self.at == at:  # no progress
                self.at += 1
                self.is_complete = False
                continue
            if not words and not word.is_quoted and word.value in (*OPENING, *CLOSING):
                return (word.value if word.value in OPENING else ""), cases - (word.value == "esac" and cases > 0)
            if not words and word.value == "[[":
                self.skip_test(depth)
                continue
            words.append(word)
            if word.value == "in" and len(words) == 3 and words[0].value == "case":
                return "", cases + self.skip_pattern()
        if not words and not redirections:
            return before, cases
        ends = [word.end for word in words] + [end for _, end in redirections]
        self.skip_blanks()
        operator = OPERATOR.match(self.text, self.at, self.limit)
        after = operator[0] if operator is not None else ""
        command = ShellCommand(
            tuple(words), start, max(ends), before, after, captured, tuple(redirections), (), self.is_complete
        )
        for text in opened:
            text.command = len(self.commands)
        self.waiting += opened
        self.commands.append(command)
        return "", cases

    def read_redirection(
        self,
        redirection: re.Match[str],
        closing: str,
        depth: int,
        redirections: list[tuple[int, int]],
        opened: list[OpenText],
    ) -> None:
        begin = self.at
        self.at = redirection.end()
        self.skip_blanks()
        target = self.read_word(closing, depth)
        redirections.append((begin, max(self.at, redirection.end())))
        if HERE_DOCUMENT.fullmatch(redirection[0]) is not None:
            opened.append(OpenText(target.value, 0))

    # between commands

    def skip_blanks(self) -> None:
        if (blank := BLANK.match(self.text, self.at, self.limit)) is not None:
            self.at = blank.end()

    def skip_comment(self) -> None:
        end = self.text.find("\n", self.at, self.limit)
        end = self.limit if end < 0 else end
        self.comments.append((self.at, end))
        self.at = end

    def read_line_end(self) -> None:
        """Reads a line break, and the here-documents that begin behind it."""
        self.at += 1
        for text in self.waiting:
            begin = self.at
            while self.at < self.limit:
                end = self.text.find("\n", self.at, self.limit)
                end = self.limit if end < 0 else end
                line = self.text[self.at : end].rstrip("\r")
                self.at = min(end + 1, self.limit)
                if line.strip() == text.delimiter:  # indented in YAML, too
                    break
            else:
                self.is_complete = False
            self.bodies.setdefault(text.command, []).append((begin, self.at))
        self.waiting = []

    def skip_pattern(self) -> bool:
        """Skips the pattern of a `case`, up to `)`. False, and `esac` is read, at the end of the `case`."""
        begin = self.at
        while begin < self.limit and self.text[begin] in " \t\r\n":
            begin += 1
        if self.text.startswith("esac", begin):
            self.at = begin + 4
            return False
        end = self.text.find(")", begin + 1, min(self.limit, begin + 2000))
        if end < 0:
            self.is_complete = False
            return False
        self.at = end + 1
        return True

    def skip_test(self, depth: int) -> None:
        """Skips `[[ ]]`. The commands of `$( )` in it are read."""
        while self.at < self.limit:
            if self.text.startswith("]]", self.at):
                self.at += 2
                return
            char = self.text[self.at]
            if char == "\n":
                return
            if char in "\"'`$":
                self.read_word("", depth)
            else:
                self.at += 1

    # words

    def read_word(self, closing: str, depth: int) -> ShellWord:
        """Reads one word, up to a blank or an operator."""
        if depth > DEEPEST:
            raise TooDeep
        start, parts, is_literal, is_quoted = self.at, list[str](), True, False
        while self.at < self.limit:
            if (plain := PLAIN.match(self.text, self.at, self.limit)) is not None:
                parts.append(plain[0])
                self.at = plain.end()
                continue
            char = self.text[self.at]
            if char in " \t\r\n|&;)" or (char == closing and closing):
                break
            if char == "'":
                is_quoted = True
                end = self.text.find("'", self.at + 1, self.limit)
                if end < 0:
                    self.is_complete = False
                    end = self.limit
                parts.append(self.text[self.at + 1 : end])
                self.at = min(end + 1, self.limit)
            elif char == '"':
                is_quoted = True
                is_literal &= self.read_double_quotes(parts, depth)
            elif char == "\\":
                if self.text.startswith(("\\\n", "\\\r\n"), self.at):
                    break
                parts.append(self.text[self.at + 1 : self.at + 2])
                self.at = min(self.at + 2, self.limit)
            elif char in "$`":
                value, expands = self.read_dollar(depth) if char == "$" else self.read_backquotes(depth)
                parts.append(value)
                is_literal &= not expands
            elif char == "{" and self.text.startswith("{{", self.at) and self.skip_braces(parts):
                is_literal = False
            elif char in "<>" and self.text.startswith("(", self.at + 1):
                begin = self.at
                self.at += 2
                self.read_list(")", depth + 1, captured=True)
                parts.append(self.text[begin : self.at])
                is_literal = False
            elif char in "<>(":
                if char == "(" and parts and parts[-1].endswith("="):  # an array: a=(b c)
                    begin = self.at
                    self.at += 1
                    self.read_list(")", depth + 1, captured=False)
                    parts.append(self.text[begin : self.at])
                    is_literal = False
                    continue
                break
            else:  # `{` and `#` inside of a word
                parts.append(char)
                self.at += 1
        return ShellWord(start, self.at, "".join(parts), is_literal, is_quoted)

    def skip_braces(self, parts: list[str]) -> bool:
        """Skips `{{ … }}` of Jinja or of a CI system, if it ends on the same line."""
        end = self.text.find("}}", self.at + 2, min(self.limit, self.at + LONGEST_BRACES))
        if end < 0 or "\n" in self.text[self.at : end]:
            return False
        parts.append("{{" + self.text[self.at + 2 : end].strip() + "}}")
        self.at = end + 2
        return True

    def read_double_quotes(self, parts: list[str], depth: int) -> bool:
        """Reads a text in double quotes. Returns whether nothing in it is expanded."""
        self.at += 1
        is_literal = True
        while self.at < self.limit:
            if (plain := IN_QUOTES.match(self.text, self.at, self.limit)) is not None:
                parts.append(plain[0])
                is_literal &= "{{" not in plain[0]
                self.at = plain.end()
                continue
            char = self.text[self.at]
            if char == '"':
                self.at += 1
                return is_literal
            if char == "\\":
                following = self.text[self.at + 1 : self.at + 2]
                parts.append(following if following in '"\\$`' else "" if following == "\n" else "\\" + following)
                self.at = min(self.at + 2, self.limit)
            else:
                value, expands = self.read_dollar(depth) if char == "$" else self.read_backquotes(depth)
                parts.append(value)
                is_literal &= not expands
        self.is_complete = False
        return is_literal

    def read_backquotes(self, depth: int) -> tuple[str, bool]:
        begin = self.at
        self.at += 1
        self.read_list("`", depth + 1, captured=True)
        return self.text[begin : self.at], True

    def read_dollar(self, depth: int) -> tuple[str, bool]:
        """Reads the expansion after a dollar. Returns its value, and whether it is expanded."""
        if self.dialect == MAKE:
            if not self.text.startswith("$$", self.at):
                return self.read_make_reference()
            self.at += 1
        begin = self.at
        following = self.text[begin + 1 : begin + 2]
        if following == "(":
            if self.text.startswith("((", begin + 1):
                self.at += 1
                self.skip_arithmetic(depth)
                return self.text[begin : self.at], True
            self.at += 2
            self.read_list(")", depth + 1, captured=True)
            return self.text[begin : self.at], True
        if following == "{":
            return self.read_braced(depth)
        if (name := NAME.match(self.text, begin + 1, self.limit)) is not None:
            self.at = name.end()
            return f"${{{name[0]}}}", True
        if following and following in "0123456789@*#?!-$":
            self.at += 2
            return f"${{{following}}}", True
        self.at += 1
        if following == "'":  # $'…'
            return "", True
        return "$", False

    def read_braced(self, depth: int) -> tuple[str, bool]:
        """Reads `${ }`, in which there may be quotes and further expansions."""
        begin = self.at
        if self.text.startswith("${{", begin):
            parts: list[str] = []
            self.at += 1
            if self.skip_braces(parts):
                return "$" + parts[0], True
            self.at = begin
        self.at += 2
        if depth > DEEPEST:
            raise TooDeep
        while self.at < self.limit:
            char = self.text[self.at]
            if char == "}":
                self.at += 1
                return self.text[begin : self.at], True
            if char == "$":
                self.read_dollar(depth + 1)
            elif char == "`":
                self.read_backquotes(depth + 1)
            elif char == "\\":
                self.at = min(self.at + 2, self.limit)
            else:
                self.at += 1
        self.is_complete = False
        return self.text[begin : self.at], True

    def read_make_reference(self) -> tuple[str, bool]:
        """Reads `$(NAME)`, `${NAME}` or `$@` of make."""
        begin = self.at
        following = self.text[begin + 1 : begin + 2]
        if not following or following not in "({":
            self.at = min(begin + 2, self.limit)
            return self.text[begin : self.at], True
        closing, level = ")" if following == "(" else "}", 0
        while self.at < self.limit:
            char = self.text[self.at]
            if char == "\n" and self.text[self.at - 1] != "\\":
                break
            level += (char == following) - (char == closing)
            self.at += 1
            if level == 0 and char == closing:
                return f"$({self.text[begin + 2 : self.at - 1]})", True
        self.is_complete = False
        return self.text[begin : self.at], True


def read_commands(text: str, start: int = 0, end: int | None = None, dialect: str = SHELL) -> list[ShellCommand]:
    """The commands of a part of a text."""
    return ShellReader(text, start, end, dialect).read_commands()

"""The shell scripts that complete the command line: each has a function that asks hot2tf and uses the answer.

The answer has a line with the kind (and the suffixes of files), a line with the current word as hot2tf read it, and a
line for each candidate: the word, a tab, and its meaning. Shells find files and directories themselves.

Invariant: a script is the same for every version of hot2tf, and evaluates nothing of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from transpile.cli.completion.values import Candidates

BASH = r"""# Completion of hot2tf for bash. For all new shells: eval "$(hot2tf completion bash)" in ~/.bashrc
_hot2tf() {
  local program="${1/#\~\//$HOME/}" line="${COMP_LINE:0:COMP_POINT}" kind='' current='' word suffix broken=''
  COMPREPLY=()
  {
    IFS= read -r kind
    IFS= read -r current
    while IFS= read -r word; do COMPREPLY+=("${word%%$'\t'*}"); done
  } < <("$program" completion bash -- "$line" 2>/dev/null)
  # bash replaces only what follows the last : or =, which is $2.
  if [[ $current == *"$2" ]]; then broken="${current%"$2"}"; fi
  case "$kind" in
    words)
      COMPREPLY=("${COMPREPLY[@]/#/x}")
      COMPREPLY=("${COMPREPLY[@]#x${broken//?/?}}")
      if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
      ;;
    directories)
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$2")
      ;;
    files*)
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do
        if [[ $kind == files || -d ${word/#\~\//$HOME/} ]]; then COMPREPLY+=("$word"); continue; fi
        for suffix in ${kind#files }; do
          if [[ $word == *"$suffix" ]]; then COMPREPLY+=("$word"); break; fi
        done
      done < <(compgen -f -- "$2")
      ;;
  esac
}
complete -F _hot2tf hot2tf
"""

ZSH = r"""#compdef hot2tf
# Completion of hot2tf for zsh. For all new shells: eval "$(hot2tf completion zsh)" in ~/.zshrc, after compinit; or this
# as a file _hot2tf in a directory of $fpath.
_hot2tf() {
  local program="${(Q)words[1]}" kind current word
  local -a before answer values shown open
  before=("${(@Q)words[2,CURRENT-1]}")
  (( CURRENT > 2 )) || before=()
  current="${(Q)IPREFIX}${(Q)PREFIX}"
  answer=("${(@f)$("${program/#\~\//$HOME/}" completion zsh -- "${before[@]}" "$current" 2>/dev/null)}")
  kind="${answer[1]}"
  case "$kind" in
    words)
      for word in "${(@)answer[3,-1]}"; do
        [[ -n $word ]] || continue
        if [[ ${word%%$'\t'*} == *= ]]; then open+=("${word%%$'\t'*}"); continue; fi
        values+=("${word%%$'\t'*}")
        if [[ $word == *$'\t'?* ]]; then shown+=("${word/$'\t'/  -- }"); else shown+=("${word%%$'\t'*}"); fi
      done
      (( ${#open} )) && compadd -S '' -a open
      (( ${#values} )) && compadd -l -d shown -a values
      ;;
    *)
      [[ $PREFIX == --*=* ]] && compset -P 1 '*='
      case "$kind" in
        directories) _files -/ ;;
        files) _files ;;
        files\ *) _files -g "*(${(j:|:)${(s: :)${kind#files }}})(-.)" ;;
      esac
      ;;
  esac
}
if [[ ${funcstack[1]} == _hot2tf ]]; then _hot2tf "$@"; else compdef _hot2tf hot2tf; fi
"""

FISH = r"""# Completion of hot2tf for fish. For all new shells: hot2tf completion fish | source
# in ~/.config/fish/config.fish; or this as the file ~/.config/fish/completions/hot2tf.fish
function __hot2tf_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l word (string trim --left --chars '"\'' -- "$current" | string unescape)
    set -l program (string replace -r '^~/' "$HOME/" -- $before[1])
    set -e before[1]
    set -l answer ($program completion fish -- $before "$word" 2>/dev/null)
    set -l kind (string split ' ' -- $answer[1])
    set -l ending
    switch "$kind[1]"
        case words
            set -e answer[1..2]
            printf '%s\n' $answer
            return
        case files
            set -e kind[1]
            set ending '.*'
            set -q kind[1]; and set ending (string join '|' -- (string escape --style=regex -- $kind))
        case directories
            set ending ''
        case '*'
            return
    end
    set -l option (string match -r '^--[^=]*=' -- "$current")
    set -l path (string replace -r '^--[^=]*=' '' -- "$current")
    set -l found (complete -C "'' $path")
    string match -r "^[^\t]*(?:/|$ending)(?:\t.*)?\$" -- $found | string replace -r '^' -- "$option"
end
complete -c hot2tf -f -a '(__hot2tf_complete)'
"""

SCRIPTS: Mapping[str, str] = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def format_candidates(candidates: Candidates, current: str) -> str:
    """The answer to a shell. A current word with control characters, such as a line break, gets no answer, because each
    word must fit on one line.
    """
    if not current.isprintable():
        return ""
    words = [f"{word}\t{help_text}" if help_text else word for word, help_text in candidates.words]
    return "".join(f"{line}\n" for line in (" ".join((candidates.kind, *candidates.suffixes)), current, *words))

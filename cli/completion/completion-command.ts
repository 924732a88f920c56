// `cwx-fake completion`: shell scripts that get their completions from this program.

import { expectedOf, nearest } from '../../server/engine/nearest.js';
import { writeLine, writeLines } from '../../server/process/command-process.js';
import { type Command, end, exit } from '../command/command.js';

/** Each script calls `cwx-fake completion words -- …` with the words of the line; the last one is unfinished. */
const scripts: Readonly<Record<string, string>> = {
  bash: `# bash completion of cwx-fake: eval "$(cwx-fake completion bash)"
_cwx_fake() {
  local line="\${COMP_LINE:0:COMP_POINT}" words current run=(cwx-fake)
  read -ra words <<<"$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  if [[ "\${words[0]}" == npx ]]; then
    [[ "\${words[1]}" == cwx-fake && \${#words[@]} -gt 2 ]] || return
    run=(npx cwx-fake) words=("\${words[@]:1}")
  fi
  current="\${words[\${#words[@]}-1]}"
  mapfile -t COMPREPLY < <("\${run[@]}" completion words -- "\${words[@]:1}" 2>/dev/null)
  if [[ "$current" == *=* && "$COMP_WORDBREAKS" == *=* ]]; then COMPREPLY=("\${COMPREPLY[@]#"\${current%=*}="}"); fi
}
complete -o default -F _cwx_fake cwx-fake npx`,
  zsh: `#compdef cwx-fake
# zsh completion of cwx-fake: eval "$(cwx-fake completion zsh)"
_cwx_fake() {
  local -a found run=(cwx-fake)
  local -i first=2
  if [[ "$words[1]" == npx ]]; then
    [[ "$words[2]" == cwx-fake && CURRENT -gt 2 ]] || { _default; return; }
    run=(npx cwx-fake) first=3
  fi
  found=("\${(@f)$($run completion words -- "\${(@)words[first,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _cwx_fake cwx-fake npx`,
  fish: `# fish completion of cwx-fake: cwx-fake completion fish | source
complete -c cwx-fake -a '(cwx-fake completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c npx -n '__fish_seen_subcommand_from cwx-fake' -a '(npx cwx-fake completion words -- (commandline -opc)[3..-1] (commandline -ct) 2>/dev/null)'`,
};

/** `all`: the commands by name. */
export function completionOf(all: () => Promise<readonly Command[]>): Command {
  return {
    name: 'completion',
    summary: 'Print the completion script of a shell: bash, zsh or fish.',
    usage: '<shell>',
    maxArgs: Number.POSITIVE_INFINITY, // `completion words` completes the words after it
    flags: [],
    examples: [
      [
        'cwx-fake completion bash >> ~/.bashrc',
        'load it in every bash session; for zsh, use completion zsh and ~/.zshrc',
      ],
      ['cwx-fake completion fish | source', 'load it in fish; put this line into ~/.config/fish/config.fish'],
    ],
    async run({ positionals: [shell = '', ...words] }, process) {
      if (shell === 'words') {
        const { candidates } = await import('./completion-words.js');
        writeLines(process.stdout, candidates(words, await all(), process.cwd()));
        return exit.passed;
      }
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
      if (script === undefined) {
        const names = Object.keys(scripts);
        const wrong = `unknown shell ${JSON.stringify(shell)}${nearest(shell, names)}`;
        end(exit.usage, `${wrong}: ${expectedOf(names)}`);
      }
      writeLine(process.stdout, script);
      return exit.passed;
    },
  };
}

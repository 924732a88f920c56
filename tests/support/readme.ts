// The examples of the README as data: blocks of commands with what they print, and files that they speak of.

export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The commands of every block of a language, in order, each with the output shown below it. */
export function commandsIn(markdown: string, language = 'console'): Shown[] {
  return blocks(markdown, language).flatMap(block =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map(part => {
        const end = part.indexOf('\n');
        return { command: part.slice(0, end), output: part.slice(end + 1) };
      }),
  );
}

/** The text with the outputs of its `console` blocks replaced, in order. */
export function withOutputs(markdown: string, outputs: readonly string[]): string {
  let next = 0;
  return markdown.replace(/^```console\n([\s\S]*?)^```$/gm, (_, block: string) => {
    const commands = block
      .split(/^\$ /m)
      .slice(1)
      .map(part => part.slice(0, part.indexOf('\n')));
    return `\`\`\`console\n${commands.map(command => `$ ${command}\n${lines(outputs[next++] ?? '')}`).join('')}\`\`\``;
  });
}

/** An output as it is shown: with a line end, whether or not it had one. */
export function lines(output: string): string {
  return output === '' || output.endsWith('\n') ? output : `${output}\n`;
}

/** The blocks of a language, without their fences. */
export function blocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    match => match[1] ?? '',
  );
}

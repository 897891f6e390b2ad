/** Examples under a command's help: each a command line and what it is for. */
export function examples(...entries: readonly (readonly [commandLine: string, purpose: string])[]): string {
  const lines = entries.map(([commandLine, purpose]) => `  # ${purpose}\n  $ msp-conformance ${commandLine}`);
  return `\nExamples:\n${lines.join('\n')}`;
}

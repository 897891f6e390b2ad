import { LineSplitter } from '../../src/wire/line-splitter.js';

/**
 * A server that does next to nothing: it answers each request with what the request says. The words after the
 * program's name are the results for methods whose result says more, as one JSON object.
 */
const results = JSON.parse(process.argv[2] ?? '{}') as Readonly<Record<string, unknown>>;
const splitter = new LineSplitter({ capBytes: 1 << 20 });

process.stdin.on('data', (chunk: Buffer) => {
  let answers = '';
  for (const { kind, ...line } of splitter.push(chunk))
    if (kind === 'line' && 'bytes' in line) answers += answer(String(line.bytes));
  if (answers !== '') process.stdout.write(answers);
});

function answer(line: string): string {
  const { id, method, params } = JSON.parse(line) as {
    id?: number;
    method: string;
    params: Record<string, unknown>;
  };
  if (id === undefined) return '';
  const { commandId, name } = params;
  const result = results[method] ?? { commandId, status: 'accepted', name };
  return `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;
}

import type { Workbench } from '../target/workbench.js';
import { rewriteStrings } from '../wire/rewrite.js';

/**
 * A frame without the run's own temporary folders: they mean nothing to a later reader and differ in every run.
 * The workspace reads `/workspace` or as told, the state directory `/state`, on both sides of the conversation alike.
 */
export function neutralPaths(bench: Workbench, workspace = '/workspace'): (raw: string) => string {
  const names: readonly (readonly [string, string])[] = [
    [bench.workspace, workspace],
    [bench.stateDir, '/state'],
    [bench.root, '/bench'],
  ];
  return (raw) => {
    if (!raw.includes(bench.root) && !raw.includes('\\/')) return raw;
    return rewriteStrings(raw, (_, value) => {
      const neutral = names.reduce((text, [path, name]) => text.replaceAll(path, name), value);
      return neutral === value ? undefined : neutral;
    });
  };
}

import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { invalidParams } from './errors.js';

/** Throws `invalidParams` unless the roots are absolute canonical paths of folders that exist, at least one. */
export function assertWorkspaceRoots(roots: readonly string[]): void {
  if (roots.length === 0) throw invalidParams('workspaceRoots: expected at least one folder');
  for (const root of roots) {
    if (!isAbsolute(root)) throw invalidParams(`workspaceRoots: ${JSON.stringify(root)} is no absolute path`);
    if (!isFolder(root)) throw invalidParams(`workspaceRoots: ${JSON.stringify(root)} is no folder`);
    if (canonical(root) !== root) {
      throw invalidParams(
        `workspaceRoots: ${JSON.stringify(root)} is not canonical; expected ${canonical(root)}`,
      );
    }
  }
}

/** The path without links and dots; the path as it is where nothing is there. */
export function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

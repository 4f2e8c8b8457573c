// The types of bundled.mjs, which is plain JavaScript.
export function bundleFolder(root: string, name?: string): string;
export function bundlesOf(
  root: string,
  needed?: string | null,
  folder?: string,
): { readonly [program: string]: string };
export function hasOwnPackages(root: string): boolean;
export function runnable(root: string, program: string, folder?: string): string;
export function digestOf(root: string, paths: readonly string[]): string;

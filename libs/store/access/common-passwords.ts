// The passwords that everybody tries first: db/reference/common-passwords.txt, one a line, folded. They are all of 12 characters and more, and the
// 6,000 first of the others, of the lists that the packages @zxcvbn-ts/language-common 4.1.3 and popular-passwords 1.0.3 hold (both under the
// MIT licence; their data is that of zxcvbn, Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., and (c) 2021 @zxcvbn-ts).
import { readFileSync } from 'node:fs';

let read: ReadonlySet<string> | undefined;

/** The common passwords, as foldPassword of libs/domain/access/password-rules.ts gives them; read once. */
export function commonPasswords(): ReadonlySet<string> {
  read ??= new Set(
    readFileSync(new URL('../../../db/reference/common-passwords.txt', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n'),
  );
  return read;
}

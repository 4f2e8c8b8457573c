// What a new password must be where people choose it themselves: long, not one that everybody tries, not the user's own name. No rules on the
// sorts of characters, as OWASP ASVS 4.0 (2.1) and NIST SP 800-63B (5.1.1.2) advise.

/** A password longer than this is refused before it is hashed, whatever the rules are; nobody types it. */
export const longestPassword = 4096;

/** The longest password, in characters: longer ones would cost more than they protect. */
const longest = 128;

/** What passwords are held against. `common`: as foldPassword gives them. */
export type PasswordRules = { readonly least: number; readonly common: ReadonlySet<string> };

/** The form in which passwords are compared with common ones: case makes none of them less common. */
export function foldPassword(password: string): string {
  return password.normalize('NFC').toLowerCase();
}

/** What is wrong with a new password of a user, in words for the reply; null: nothing. */
export function passwordFault(password: string, username: string, { least, common }: PasswordRules): string | null {
  const length = [...password].length;
  if (length < least) return `Must be at least ${least} characters`;
  if (length > longest) return `Must be at most ${longest} characters`;
  const folded = foldPassword(password);
  if (folded === foldPassword(username)) return 'Must not be the user name';
  return common.has(folded) ? 'Is one of the most common passwords' : null;
}

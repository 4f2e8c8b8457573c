// User names: what may be one, and the form in which two of them are compared (contract 1.1, type username).

const allowed = /^[a-z0-9\-_.@]+(?: [a-z0-9\-_.@]+)*$/;

/** The name trimmed and in lower case, or null where it is none: letters, digits, `- _ . @` and single blanks. */
export function toUsername(text: string): string | null {
  const name = text.trim().toLowerCase();
  return allowed.test(name) ? name : null;
}

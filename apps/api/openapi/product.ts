// What this is, as told to clients.

/** The version of Muniment (package.json's; a test compares them). */
export const productVersion = '0.1.0';

/** The releases of the interface and the number by which clients know each. */
export const interfaceVersions = { 'R-A': '3.3.0', 'R-B': '4.1.1' } as const;

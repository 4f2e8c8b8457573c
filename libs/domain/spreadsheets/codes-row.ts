// How the row of field codes of a sheet is known (contract trees-and-jobs 6.7): by itself, so that pages tell sheets from other CSV by it.

/** What the first cell of the row of codes says, in the templates in the wild and in those of the service. */
export const codesRow = /field codes?\b/i;

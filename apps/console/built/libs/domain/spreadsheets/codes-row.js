export const codesRow = /field codes?\b/i;

/** Whether Accept-Encoding takes gzip (RFC 9110 12.5.3); a service that may be asked by anybody compresses for nobody who does not say so. */
export const acceptsGzip = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((part) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(part));

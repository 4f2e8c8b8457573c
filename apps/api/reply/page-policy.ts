// The content security policy of pages that the service makes of records: finding aids, reports, the page to try OAI-PMH.

/**
 * Pages may show text, their own styles and pictures, and send forms to `formTarget` (a source expression such as 'self' or an origin). Nothing in
 * them is run, fetched or framed, whatever a record holds. `/docs`, which needs scripts, has a policy of its own.
 */
export function policyOfPages(formTarget: string): string {
  return `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action ${formTarget}; base-uri 'none'; frame-ancestors 'none'`;
}

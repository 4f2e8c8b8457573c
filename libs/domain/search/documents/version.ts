// The version of search documents: a number that grows when the same records make other documents than before (table `search_form`).

/**
 * To be raised with every change of what is found or shown of a record that has not changed. An index of an older version is made anew by
 * itself when the first worker of the new version starts. 2: nothing suppressed or internal is in documents, collection management has its
 * own. 3: documents name the classifications they are in. 4: jobs are found, and names without blanks as they are written; documents
 * resolve what clients read, fields of text have all their words; common words that stand beside each other are lexemes, and facet
 * values stand in the row. 5: the public sees what the agents of repositories are called, published or not. 6: what stands in a collection is
 * found by the identifier of that, too; containers are restricted by notes on access and use alone; representative files come from components
 * too, and say of which record they are and where they lead. 7: words of titles behind a filing title, of external documents, of notes of parts, of
 * dates beside the inclusive ones, and days behind an expression are found; containers name levels as they were given, and accessions without a
 * title once. 8: assessments are found by the collections of the components that were assessed; locations and profiles tell of no repositories that use them, which they did not follow;
 * documents are found by whether they have published notes. 9: notes do not hold the texts of records that they name;
 * what controlled lists say in contact details is in no document.
 */
export const documentVersion = 9;

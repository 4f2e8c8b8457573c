// The structure of a document for those who hear it (tagged PDF, PDF/UA): headings, paragraphs, lists, links. Elements are written as they end, and
// of each only its number stays; pdfkit's own keeps them all.
import type { Inner, PdfObject } from './pdf-objects.ts';
import { Raw, reference } from './pdf-objects.ts';

/** Structure in the making. Content stands in `content` of an open element, or in `artifact`, which nobody hears. */
export type Tags = {
  open(type: string, entries?: object): void;
  close(): void;
  /** Draws what belongs to the open element, on the page that is being set. */
  content(draw: () => void): void;
  /** Draws what is only seen: page numbers, rules. */
  artifact(draw: () => void): void;
  /** Entries of an annotation (a link) of the open element; the annotation itself is told to `annotated`. */
  annotationKey(): number;
  annotated(id: number): void;
  /** Keeps a place among the elements of the open one for what is set later; `openAt` begins an element there. */
  place(): Place;
  openAt(place: Place, type: string): void;
  /** Once for each page, before anything is drawn on it, and once when it is full. */
  beginPage(page: PdfObject): void;
  endPage(): void;
  end(): void;
};

type Element = { readonly object: PdfObject; readonly type: string; readonly entries: object; readonly kids: string[] };
type Place = { readonly parent: Element; readonly index: number };

/** Makes the document a tagged one. */
export function createTags(document: Inner): Tags {
  const root = document.ref({});
  document._root.data['StructTreeRoot'] = root;
  document._root.data['MarkInfo'] = document.ref({ Marked: true });
  // What holds each piece of content, by the key of its page or annotation: lists of a page are objects of their own.
  const holders: string[] = [];
  const open: Element[] = [];
  let page = 0;
  let pageKey = 0;
  let onPage: string[] = [];
  const made = (type: string, entries: object): Element => ({ object: document.ref({}), type, entries, kids: [] });
  const main = made('Document', {});
  const current = (): Element => open.at(-1) ?? main;
  const parents = new Map<Element, number>();
  const begin = (element: Element, parent: Element): void => {
    parents.set(element, parent.object.id);
    open.push(element);
  };
  const finish = (element: Element, parent: number): void => {
    element.object.data = {
      S: element.type,
      P: reference(parent),
      ...element.entries,
      K: new Raw(`[${element.kids.join(' ')}]`),
    };
    element.object.end();
  };
  return {
    open(type, entries = {}) {
      const element = made(type, entries);
      const parent = current();
      parent.kids.push(`${element.object.id} 0 R`);
      begin(element, parent);
    },
    close() {
      const element = open.pop();
      if (element === undefined) throw new Error('no element is open');
      finish(element, parents.get(element) ?? main.object.id);
      parents.delete(element);
    },
    content(draw) {
      const element = current();
      element.kids.push(`<</Type /MCR /Pg ${page} 0 R /MCID ${onPage.length}>>`);
      document.addContent(`/${element.type} <</MCID ${onPage.length}>> BDC`);
      onPage.push(`${element.object.id} 0 R`);
      draw();
      document.addContent('EMC');
    },
    artifact(draw) {
      document.addContent('/Artifact BMC');
      draw();
      document.addContent('EMC');
    },
    annotationKey() {
      return holders.push(`${current().object.id} 0 R`) - 1;
    },
    annotated(id) {
      current().kids.push(`<</Type /OBJR /Obj ${id} 0 R /Pg ${page} 0 R>>`);
    },
    place() {
      const parent = current();
      return { parent, index: parent.kids.push('') - 1 };
    },
    openAt({ parent, index }, type) {
      const element = made(type, {});
      parent.kids[index] = `${element.object.id} 0 R`;
      begin(element, parent);
    },
    beginPage(object) {
      page = object.id;
      pageKey = holders.push('null') - 1;
      onPage = [];
      Object.assign(object.data, { StructParents: pageKey, Tabs: 'S' });
    },
    endPage() {
      const list = document.ref({});
      list.data = new Raw(`[${onPage.join(' ')}]`);
      list.end();
      holders[pageKey] = `${list.id} 0 R`;
    },
    end() {
      while (open.length > 0) this.close();
      finish(main, root.id);
      const parentTree = document.ref({
        Nums: new Raw(`[${holders.map((holder, key) => `${key} ${holder}`).join(' ')}]`),
      });
      parentTree.end();
      // pdfkit writes it with the catalog.
      root.data = {
        Type: 'StructTreeRoot',
        K: reference(main.object.id),
        ParentTree: reference(parentTree.id),
        ParentTreeNextKey: holders.length,
      };
    },
  };
}

export const marcNamespace = 'http://www.loc.gov/MARC21/slim';
export const isMarcXml = ({ elements, text }) => (elements[0] === 'collection' || elements[0] === 'record') &&
    text.toLowerCase().includes(marcNamespace.toLowerCase());
export const isAuthority = ({ text }) => /<(?:[\w.-]+:)?leader[^>]*>.{6}z/.test(text);

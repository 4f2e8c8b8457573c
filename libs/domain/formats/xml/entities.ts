// The entity names a document may use without declaring them: the five of XML, the 252 of HTML 4 and those of the ISO sets, which
// hand-made EAD relies on (its DTD declared them). A data table; entities of a document itself are doctype.ts.

/** HTML 4 entity names with their code points in hexadecimal, `name:code`, in code order. */
const htmlNames = `
quot:22 amp:26 lt:3c gt:3e nbsp:a0 iexcl:a1 cent:a2 pound:a3 curren:a4 yen:a5 brvbar:a6 sect:a7 uml:a8 copy:a9 ordf:aa laquo:ab not:ac
shy:ad reg:ae macr:af deg:b0 plusmn:b1 sup2:b2 sup3:b3 acute:b4 micro:b5 para:b6 middot:b7 cedil:b8 sup1:b9 ordm:ba raquo:bb frac14:bc
frac12:bd frac34:be iquest:bf Agrave:c0 Aacute:c1 Acirc:c2 Atilde:c3 Auml:c4 Aring:c5 AElig:c6 Ccedil:c7 Egrave:c8 Eacute:c9 Ecirc:ca
Euml:cb Igrave:cc Iacute:cd Icirc:ce Iuml:cf ETH:d0 Ntilde:d1 Ograve:d2 Oacute:d3 Ocirc:d4 Otilde:d5 Ouml:d6 times:d7 Oslash:d8 Ugrave:d9
Uacute:da Ucirc:db Uuml:dc Yacute:dd THORN:de szlig:df agrave:e0 aacute:e1 acirc:e2 atilde:e3 auml:e4 aring:e5 aelig:e6 ccedil:e7 egrave:e8
eacute:e9 ecirc:ea euml:eb igrave:ec iacute:ed icirc:ee iuml:ef eth:f0 ntilde:f1 ograve:f2 oacute:f3 ocirc:f4 otilde:f5 ouml:f6 divide:f7
oslash:f8 ugrave:f9 uacute:fa ucirc:fb uuml:fc yacute:fd thorn:fe yuml:ff OElig:152 oelig:153 Scaron:160 scaron:161 Yuml:178 fnof:192
circ:2c6 tilde:2dc Alpha:391 Beta:392 Gamma:393 Delta:394 Epsilon:395 Zeta:396 Eta:397 Theta:398 Iota:399 Kappa:39a Lambda:39b Mu:39c Nu:39d
Xi:39e Omicron:39f Pi:3a0 Rho:3a1 Sigma:3a3 Tau:3a4 Upsilon:3a5 Phi:3a6 Chi:3a7 Psi:3a8 Omega:3a9 alpha:3b1 beta:3b2 gamma:3b3 delta:3b4
epsilon:3b5 zeta:3b6 eta:3b7 theta:3b8 iota:3b9 kappa:3ba lambda:3bb mu:3bc nu:3bd xi:3be omicron:3bf pi:3c0 rho:3c1 sigmaf:3c2 sigma:3c3
tau:3c4 upsilon:3c5 phi:3c6 chi:3c7 psi:3c8 omega:3c9 thetasym:3d1 upsih:3d2 piv:3d6 ensp:2002 emsp:2003 thinsp:2009 zwnj:200c zwj:200d
lrm:200e rlm:200f ndash:2013 mdash:2014 lsquo:2018 rsquo:2019 sbquo:201a ldquo:201c rdquo:201d bdquo:201e dagger:2020 Dagger:2021 bull:2022
hellip:2026 permil:2030 prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a oline:203e frasl:2044 euro:20ac image:2111 weierp:2118 real:211c
trade:2122 alefsym:2135 larr:2190 uarr:2191 rarr:2192 darr:2193 harr:2194 crarr:21b5 lArr:21d0 uArr:21d1 rArr:21d2 dArr:21d3 hArr:21d4
forall:2200 part:2202 exist:2203 empty:2205 nabla:2207 isin:2208 notin:2209 ni:220b prod:220f sum:2211 minus:2212 lowast:2217 radic:221a
prop:221d infin:221e ang:2220 and:2227 or:2228 cap:2229 cup:222a int:222b there4:2234 sim:223c cong:2245 asymp:2248 ne:2260 equiv:2261
le:2264 ge:2265 sub:2282 sup:2283 nsub:2284 sube:2286 supe:2287 oplus:2295 otimes:2297 perp:22a5 sdot:22c5 lceil:2308 rceil:2309 lfloor:230a
rfloor:230b lang:2329 rang:232a loz:25ca spades:2660 clubs:2663 hearts:2665 diams:2666
`;

/**
 * Names of the ISO 8879 sets beyond those of HTML, which the DTD of EAD 2002 brought along (ISOlat2, ISOnum, ISOpub, ISOdia) and which
 * documents converted from SGML still hold.
 */
const isoNames = `
Abreve:102 abreve:103 Amacr:100 amacr:101 Aogon:104 aogon:105 Cacute:106 cacute:107 Ccaron:10c ccaron:10d Ccirc:108 ccirc:109 Cdot:10a cdot:10b
Dcaron:10e dcaron:10f Dstrok:110 dstrok:111 Ecaron:11a ecaron:11b Edot:116 edot:117 Emacr:112 emacr:113 Eogon:118 eogon:119 gacute:1f5 Gbreve:11e
gbreve:11f Gcedil:122 Gcirc:11c gcirc:11d Gdot:120 gdot:121 Hcirc:124 hcirc:125 Hstrok:126 hstrok:127 Idot:130 Imacr:12a imacr:12b IJlig:132
ijlig:133 inodot:131 Iogon:12e iogon:12f Itilde:128 itilde:129 Jcirc:134 jcirc:135 Kcedil:136 kcedil:137 kgreen:138 Lacute:139 lacute:13a
Lcaron:13d lcaron:13e Lcedil:13b lcedil:13c Lmidot:13f lmidot:140 Lstrok:141 lstrok:142 Nacute:143 nacute:144 ENG:14a eng:14b napos:149
Ncaron:147 ncaron:148 Ncedil:145 ncedil:146 Odblac:150 odblac:151 Omacr:14c omacr:14d Racute:154 racute:155 Rcaron:158 rcaron:159 Rcedil:156
rcedil:157 Sacute:15a sacute:15b Scedil:15e scedil:15f Scirc:15c scirc:15d Tcaron:164 tcaron:165 Tcedil:162 tcedil:163 Tstrok:166 tstrok:167
Ubreve:16c ubreve:16d Udblac:170 udblac:171 Umacr:16a umacr:16b Uogon:172 uogon:173 Uring:16e uring:16f Utilde:168 utilde:169 Wcirc:174
wcirc:175 Ycirc:176 ycirc:177 Zacute:179 zacute:17a Zcaron:17d zcaron:17e Zdot:17b zdot:17c
half:bd excl:21 num:23 dollar:24 percnt:25 lpar:28 rpar:29 ast:2a plus:2b comma:2c hyphen:2010 period:2e sol:2f colon:3a semi:3b equals:3d
quest:3f commat:40 lsqb:5b bsol:5c rsqb:5d lowbar:5f lcub:7b verbar:7c rcub:7d horbar:2015 ohm:2126 sung:266a frac18:215b frac38:215c
frac58:215d frac78:215e emsp13:2004 emsp14:2005 numsp:2007 puncsp:2008 hairsp:200a dash:2010 blank:2423 nldr:2025 mldr:2026 frac13:2153
frac23:2154 frac15:2155 frac25:2156 frac35:2157 frac45:2158 frac16:2159 frac56:215a incare:2105 block:2588 uhblk:2580 lhblk:2584 blk14:2591
blk12:2592 blk34:2593 marker:25ae cir:25cb squ:25a1 rect:25ad utri:25b5 dtri:25bf star:2606 malt:2720 check:2713 cross:2717 sharp:266f
flat:266d natur:266e male:2642 female:2640 phone:260e telrec:2315 copysr:2117 caret:2041 lsquor:201a ldquor:201e rsquor:2019 rdquor:201d
fflig:fb00 filig:fb01 fllig:fb02 ffilig:fb03 ffllig:fb04 vellip:22ee breve:2d8 caron:2c7 ring:2da dot:2d9 die:a8 grave:60 ogon:2db dblac:2dd
`;

/** A fresh table of entity name → character, without a prototype, so that `&constructor;` is unknown like any other name. */
export function knownEntities(): Record<string, string> {
  const table = tableOf(htmlNames);
  table['apos'] = "'";
  return table;
}

/** The names of the ISO sets that HTML has not, in a table of the same form. */
export function isoEntities(): Record<string, string> {
  return tableOf(isoNames);
}

function tableOf(pairs: string): Record<string, string> {
  const table: Record<string, string> = Object.create(null);
  for (const pair of pairs.trim().split(/\s+/)) {
    const [name, code] = pair.split(':');
    if (name !== undefined && code !== undefined) table[name] = String.fromCodePoint(Number.parseInt(code, 16));
  }
  return table;
}

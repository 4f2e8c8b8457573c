// Languages by the bibliographic codes of ISO 639-2, which the lists of this service have, from what documents write instead: the two letters
// of ISO 639-1, the terminological codes of ISO 639-2 (`deu`, `nld`), codes withdrawn since (`scr`).

const pairs =
  'aa aar ab abk ae ave af afr ak aka am amh an arg ar ara as asm av ava ay aym az aze ba bak be bel bg bul bi bis bm bam bn ben bo tib br bre bs bos ca cat ce che ch cha co cos cr cre cs cze cu chu cv chv cy wel ' +
  'da dan de ger dv div dz dzo ee ewe el gre en eng eo epo es spa et est eu baq fa per ff ful fi fin fj fij fo fao fr fre fy fry ga gle gd gla gl glg gn grn gu guj gv glv ha hau he heb hi hin ho hmo hr hrv ht hat hu hun hy arm hz her ' +
  'ia ina id ind ie ile ig ibo ii iii ik ipk io ido is ice it ita iu iku ja jpn jv jav ka geo kg kon ki kik kj kua kk kaz kl kal km khm kn kan ko kor kr kau ks kas ku kur kv kom kw cor ky kir la lat lb ltz lg lug li lim ln lin lo lao lt lit lu lub lv lav ' +
  'mg mlg mh mah mi mao mk mac ml mal mn mon mr mar ms may mt mlt my bur na nau nb nob nd nde ne nep ng ndo nl dut nn nno no nor nr nbl nv nav ny nya oc oci oj oji om orm or ori os oss pa pan pi pli pl pol ps pus pt por qu que rm roh rn run ro rum ru rus rw kin ' +
  'sa san sc srd sd snd se sme sg sag si sin sk slo sl slv sm smo sn sna so som sq alb sr srp ss ssw st sot su sun sv swe sw swa ta tam te tel tg tgk th tha ti tir tk tuk tl tgl tn tsn to ton tr tur ts tso tt tat tw twi ty tah ' +
  'ug uig uk ukr ur urd uz uzb ve ven vi vie vo vol wa wln wo wol xh xho yi yid yo yor za zha zh chi zu zul ' +
  'bod tib ces cze cym wel deu ger ell gre eus baq fas per fra fre hye arm isl ice kat geo mkd mac mri mao msa may mya bur nld dut ron rum mol rum slk slo sqi alb zho chi scr hrv scc srp';

const codes: ReadonlyMap<string, string> = new Map(
  Array.from(pairs.matchAll(/(\w{2,3}) (\w{3})/g), ([, code = '', bibliographic = '']) => [code, bibliographic]),
);

/** The bibliographic code for any of these, in any case, with or without a region (`en-GB`); any other text as it is. */
export function bibliographicCode(code: string): string {
  const [language = ''] = code.toLowerCase().split(/[-_]/);
  return codes.get(language) ?? (language.length === 3 ? language : code);
}

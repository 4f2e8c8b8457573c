// Codes of the MARC list of countries by ISO 3166-1 code, for field 008 (Library of Congress, "MARC Code List for Countries").
// Countries that MARC codes by their parts have the code of the whole.

const list = `AD:an AE:ts AF:af AG:aq AI:am AL:aa AM:ai AO:ao AQ:ay AR:ag AS:as AT:au AU:at AW:aw AX:fi AZ:aj BA:bn BB:bb BD:bg BE:be BF:uv BG:bu BH:ba
BI:bd BJ:dm BL:sc BM:bm BN:bx BO:bo BQ:ca BR:bl BS:bf BT:bt BV:bv BW:bs BY:bw BZ:bh CA:xxc CC:xb CD:cg CF:cx CG:cf CH:sz CI:iv CK:cw CL:cl CM:cm
CN:cc CO:ck CR:cr CU:cu CV:cv CW:co CX:xa CY:cy CZ:xr DE:gw DJ:ft DK:dk DM:dq DO:dr DZ:ae EC:ec EE:er EG:ua EH:ss ER:ea ES:sp ET:et FI:fi FJ:fj
FK:fk FM:fm FO:fa FR:fr GA:go GB:xxk GD:gd GE:gs GF:fg GG:gg GH:gh GI:gi GL:gl GM:gm GN:gv GP:gp GQ:eg GR:gr GS:xs GT:gt GU:gu GW:pg GY:gy HK:cc
HM:hm HN:ho HR:ci HT:ht HU:hu ID:io IE:ie IL:is IM:im IN:ii IO:bi IQ:iq IR:ir IS:ic IT:it JE:je JM:jm JO:jo JP:ja KE:ke KG:kg KH:cb KI:gb KM:cq
KN:xd KP:kn KR:ko KW:ku KY:cj KZ:kz LA:ls LB:le LC:xk LI:lh LK:ce LR:lb LS:lo LT:li LU:lu LV:lv LY:ly MA:mr MC:mc MD:mv ME:mo MF:st MG:mg MH:xe
MK:xn ML:ml MM:br MN:mp MO:cc MP:nw MQ:mq MR:mu MS:mj MT:mm MU:mf MV:xc MW:mw MX:mx MY:my MZ:mz NA:sx NC:nl NE:ng NF:nx NG:nr NI:nq NL:ne NO:no
NP:np NR:nu NU:xh NZ:nz OM:mk PA:pn PE:pe PF:fp PG:pp PH:ph PK:pk PL:pl PM:xl PN:pc PR:pr PS:wj PT:po PW:pw PY:py QA:qa RE:re RO:rm RS:rb RU:ru
RW:rw SA:su SB:bp SC:se SD:sj SE:sw SG:si SH:xj SI:xv SJ:no SK:xo SL:sl SM:sm SN:sg SO:so SR:sr SS:sd ST:sf SV:es SX:sn SY:sy SZ:sq TC:tc TD:cd TF:fs
TG:tg TH:th TJ:ta TK:tl TL:em TM:tk TN:ti TO:to TR:tu TT:tr TV:tv TW:ch TZ:tz UA:un UG:ug UM:uc US:xxu UY:uy UZ:uz VA:vc VC:xm VE:ve VG:vb VI:vi VN:vm
VU:nn WF:wf WS:ws YE:ye YT:ot ZA:sa ZM:za ZW:rh`;

/** The MARC code of a country, two or three letters, by its ISO 3166-1 code of two capitals. */
export const marcCountries: { readonly [iso: string]: string } = Object.fromEntries(
  list.split(/\s+/).map((pair) => pair.split(':')),
);

// The variables of accounts: passwords, logins, sessions.
import { z } from 'zod';
import { longestPassword } from '../access/password-rules.ts';
import { flag, integer, plainName } from './values.ts';

const isHeaderName = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text.trim());
const isProxies = (text: string): boolean =>
  /^\d{0,3}$/.test(text) || text.split(',').every((each) => isProxy(each.trim()));
const password = () => z.string().min(1).max(longestPassword, `must have at most ${longestPassword} characters`);
const servicePassword = (username: string, program: string) =>
  password()
    .optional()
    .describe(
      `Password of the hidden user ${username}, as which ${program} logs in; set at each start of the API. Absent: nobody can log in as that user.`,
    );
/** Addresses of IPv4 and IPv6, with or without the bits of a network, and the names that stand for sets of them. */
function isProxy(text: string): boolean {
  if (/^(?:loopback|linklocal|uniquelocal)$/i.test(text)) return true;
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(address))
    return address.split('.').every((part) => Number(part) <= 255) && Number(bits) <= 32;
  return /^[\da-f:.]*:[\da-f:.]*$/i.test(address) && URL.canParse(`http://[${address}]/`) && Number(bits) <= 128;
}

/** The variables by name; config.ts has them among the others. */
export const accountVariables = {
  MUNIMENT_ADMIN_PASSWORD: password()
    .optional()
    .describe(
      'Password of the user admin, set at each start of the API; where it is another one than before, what the old one opened ends. Absent: a random one is made at the first start and kept in a file only the owner can read.',
    ),
  MUNIMENT_PUBLIC_USER_PASSWORD: servicePassword('public_anonymous', 'a public interface'),
  MUNIMENT_STAFF_USER_PASSWORD: servicePassword('staff_system', 'a staff interface'),
  MUNIMENT_SEARCH_USER_PASSWORD: servicePassword('search_indexer', 'an indexer'),
  MUNIMENT_SESSION_TTL_SECONDS: integer(3600, 1, 31_536_000).describe(
    'Idle time after which a session expires, in seconds.',
  ),
  MUNIMENT_SESSION_LONG_TTL_SECONDS: integer(604_800, 1, 31_536_000).describe(
    'Idle time after which a session made with expiring=false is removed, in seconds.',
  ),
  MUNIMENT_SESSION_LIFETIME_SECONDS: integer(2_592_000, 0, 315_360_000).describe(
    'Time after its login at which a session ends however much it is used, in seconds; 0: none.',
  ),
  MUNIMENT_SESSION_LONG_LIFETIME_SECONDS: integer(31_536_000, 0, 315_360_000).describe(
    'The same for sessions made with expiring=false.',
  ),
  MUNIMENT_SESSION_HEADERS: z
    .string()
    .refine((text) => text.split(',').every(isHeaderName), 'must be names of headers with commas between')
    .default('X-Service-Session,X-ArchivesSpace-Session')
    .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
    .describe('Request headers that may carry the session token; the first is the canonical one.'),
  MUNIMENT_GLOBAL_PERMISSIONS_KEY: plainName()
    .default('_service')
    .describe('Key of the global permissions in user records.'),
  MUNIMENT_LOGIN_RATE_LIMIT: integer(30, 0, 100_000).describe(
    'Failed logins a minute allowed per user and address, over all processes; 0 is no limit.',
  ),
  MUNIMENT_LOGIN_USER_LIMIT: integer(100, 0, 100_000).describe(
    'Failed logins an hour allowed per user, from all addresses together from which that user never logged in, and from each of the others; 0 is no limit.',
  ),
  MUNIMENT_LOGIN_ADDRESS_LIMIT: integer(300, 0, 1_000_000).describe(
    'Failed logins an hour allowed per address (of IPv6 per network of 64 bits), whoever is tried; it holds up nobody who has logged in from there before. 0 is no limit.',
  ),
  MUNIMENT_TRUST_PROXY: z
    .string()
    .refine(isProxies, 'must be addresses or networks with commas between, or a number')
    .default('')
    .describe(
      "Whose X-Forwarded-For names the client, for the limit on failed logins: addresses or networks of proxies with commas between, or a number of proxies. Empty: nobody's; the address of the connection counts.",
    ),
  MUNIMENT_PASSWORD_RULES: z
    .enum(['people', 'all', 'off'])
    .default('people')
    .describe(
      'Whose new passwords must be long and uncommon: people: those that users choose for themselves, by changing their own or by self registration, while whoever manages users may set any for others, as scripts do. all: every one that comes by the HTTP interface. off: none, as in the incumbent.',
    ),
  MUNIMENT_PASSWORD_MIN_LENGTH: integer(12, 1, 128).describe(
    'Least number of characters of a new password, where MUNIMENT_PASSWORD_RULES ask for it.',
  ),
  MUNIMENT_PASSWORD_ASK_CURRENT: flag('true').describe(
    'Whether users who change their own password must give the current one, as current_password. false: as in the incumbent, whose staff interface does not send it.',
  ),
} as const;

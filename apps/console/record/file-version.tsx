// A file of a digital object: its picture where the service itself has it, otherwise a link that says what it is.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { textOf } from '../../../libs/domain/json.ts';
import { valueName } from '../labels.ts';

/** Whether a file version is meant to be seen where its object is shown. */
const isMeantToBeSeen = (version: JsonObject): boolean =>
  version['is_representative'] === true ||
  textOf(version, 'use_statement') === 'image-thumbnail' ||
  textOf(version, 'xlink_show_attribute') === 'embed';

/** Whether an address is of this service. Those of others are asked for nothing: the policy of the page would refuse it, too. */
function isOwn(address: string): boolean {
  if (!/^(https?:\/\/|\/(?!\/))/.test(address)) return false;
  return URL.canParse(address, location.origin) && new URL(address, location.origin).origin === location.origin;
}

const nameOf = (version: JsonObject): string => {
  const use = textOf(version, 'use_statement');
  return (
    textOf(version, 'caption') ??
    (use === undefined ? undefined : valueName('use_statement', use)) ??
    textOf(version, 'file_uri') ??
    ''
  );
};

const isWeb = (address: string): boolean => /^https?:\/\/\S+$/.test(address);

/** The properties of a file version that it tells by itself. */
export function toldBy(version: JsonObject): readonly string[] {
  const address = textOf(version, 'file_uri') ?? '';
  const name = nameOf(version);
  return [
    textOf(version, 'caption') === undefined ? 'use_statement' : 'caption',
    ...(isWeb(address) || isOwn(address) || name === address ? ['file_uri'] : []),
  ];
}

/** The address of a file, as a picture that leads to it or as a link with its caption or use; as text where it is no address of the web. */
export function FileVersion({ version }: { readonly version: JsonObject }): JSX.Element {
  const address = textOf(version, 'file_uri') ?? '';
  const name = nameOf(version);
  const [isBroken, setBroken] = useState(false);
  const isPicture = isOwn(address) && isMeantToBeSeen(version) && !isBroken;
  if (!isOwn(address) && !isWeb(address)) return <bdi>{name}</bdi>;
  return (
    <a href={address} rel="noreferrer" target="_blank">
      {/* What is no picture after all is a link like others. */}
      {isPicture ? (
        <img class="thumbnail" src={address} alt={name} loading="lazy" onError={() => setBroken(true)} />
      ) : (
        name
      )}
    </a>
  );
}

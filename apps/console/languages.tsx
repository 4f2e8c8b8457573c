// The choice of a language.
import type { JSX } from 'preact';
import { language, languageNames, speak, t } from './words.ts';

/** The choice of a language. */
export function Languages(): JSX.Element {
  return (
    <select aria-label={t('language')} value={language.value} onChange={(event) => speak(event.currentTarget.value)}>
      {languageNames.map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

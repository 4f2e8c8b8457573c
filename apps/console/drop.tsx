// A place to drop files on, or to choose them by.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

type Dropping = {
  /** What to drop there. */
  readonly says: string;
  /** The endings of files that the browser offers first: `.xml,.csv`. */
  readonly accept: string;
  readonly isMany?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
};

/** The place; it is a field for files that is labelled by what it says. */
export function DropFiles({ says, accept, isMany = false, onFiles }: Dropping): JSX.Element {
  const [isOver, setOver] = useState(false);
  return (
    <label
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <span>{says}</span>
      <input
        type="file"
        multiple={isMany}
        accept={accept}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}

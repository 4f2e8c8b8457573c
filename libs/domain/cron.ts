// Schedules as cron writes them: minute, hour, day of the month, month, day of the week, one blank between.

// Least and largest number of each field.
const cronFields = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

/** Whether a text is a schedule in five fields, or empty for none. */
export const isCron = (text: string): boolean => {
  const fields = text.split(' ');
  return (
    text === '' ||
    (fields.length === cronFields.length &&
      cronFields.every(([least, most], index) => isCronField(fields[index] ?? '', least, most)))
  );
};

const isCronField = (field: string, least: number, most: number): boolean =>
  field.split(',').every((part) => {
    const [, from, to, step] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? [part, 'x'];
    return (
      [from, to].every((number) => number === undefined || (Number(number) >= least && Number(number) <= most)) &&
      Number(to ?? most) >= Number(from ?? least) &&
      Number(step ?? 1) >= 1
    );
  });

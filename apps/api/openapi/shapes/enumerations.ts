// The shape of a value of a controlled list as it is read by itself (contract 6.13).
import { shape } from '../shape.ts';

/** A value with its number, which its uri ends in. */
export const enumerationValue = shape.named(
  'enumeration_value_read',
  shape.object(
    {
      jsonmodel_type: shape.oneOf('enumeration_value'),
      uri: shape.uri,
      id: shape.integer,
      value: shape.text,
      position: shape.integer,
      suppressed: shape.boolean,
    },
    {
      lock_version: shape.integer,
      created_by: shape.text,
      last_modified_by: shape.text,
      create_time: shape.time,
      system_mtime: shape.time,
      user_mtime: shape.time,
    },
  ),
);

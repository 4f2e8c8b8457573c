-- A unique key of over 400 bytes is held as its digest (keyText in libs/domain/checking/split.ts). Terms that were made with the records that name them had theirs whole:
-- a loaded one was not found by it and made once more. Where both are there, the one that was made keeps its key, which nobody looks for.
CREATE FUNCTION key_text(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(value) <= 400 THEN value ELSE 'sha256:' || encode(sha256(convert_to(value, 'UTF8')), 'hex') END;

UPDATE unique_key k SET value = key_text(k.value) WHERE k.rule = 'term.identity' AND octet_length(k.value) > 400
  AND NOT EXISTS (SELECT FROM unique_key o WHERE o.rule = k.rule AND o.scope = k.scope AND o.value = key_text(k.value));

-- Codes of repositories are unique whatever the case of their ASCII letters (lowerAscii in libs/domain/text/fold.ts). Of repositories whose codes
-- differ in nothing else, the first keeps the key; the others are told when they are saved next.
WITH ranked AS (
  SELECT value, row_number() OVER (PARTITION BY lower(value COLLATE "C") ORDER BY value = lower(value COLLATE "C") DESC, id) AS place
  FROM unique_key WHERE rule = 'repository.repo_code'
)
UPDATE unique_key k SET value = lower(k.value COLLATE "C") FROM ranked r
WHERE k.rule = 'repository.repo_code' AND k.value = r.value AND r.place = 1 AND k.value <> lower(k.value COLLATE "C");

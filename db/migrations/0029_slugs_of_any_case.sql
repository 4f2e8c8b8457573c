-- Slugs are found whatever the case of their ASCII letters, as addresses are typed (slugKey in libs/domain/identifiers/slugs.ts). Of records
-- whose slugs differ in nothing else, the first keeps the key; the others get a slug of their own when they are saved next.
WITH ranked AS (
  SELECT scope, value, row_number() OVER (PARTITION BY scope, lower(value COLLATE "C") ORDER BY value = lower(value COLLATE "C") DESC, kind, id) AS place
  FROM unique_key WHERE rule = 'slug'
)
UPDATE unique_key k SET value = lower(k.value COLLATE "C") FROM ranked r
WHERE k.rule = 'slug' AND k.scope = r.scope AND k.value = r.value AND r.place = 1 AND k.value <> lower(k.value COLLATE "C");

-- The same answer as 0007's, ten times sooner: a recursive query is set up anew for each record that is asked about, which costs a tenth of a millisecond; statements
-- that are planned once, a step up each, cost a hundredth. The root first: it most often hides what is hidden.
CREATE OR REPLACE FUNCTION has_hidden_ancestor(kind text, node_id int, repo int) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  -- Of nodes alone: tree_code() has roots too, of which nothing is above.
  code CONSTANT smallint := CASE kind WHEN 'archival_object' THEN 1 WHEN 'digital_object_component' THEN 2 WHEN 'classification_term' THEN 3 END;
  root int; above int; shown boolean;
BEGIN
  SELECT t.root_id, t.parent_id INTO root, above FROM tree_node t WHERE t.repo_id = repo AND t.kind = code AND t.id = node_id;
  -- One statement for each kind of root: of which partition it is must be known when it is planned.
  CASE code
    WHEN 1 THEN SELECT o.publish AND NOT o.suppressed INTO shown FROM record o WHERE o.kind = 'resource' AND o.id = root;
    WHEN 2 THEN SELECT o.publish AND NOT o.suppressed INTO shown FROM record o WHERE o.kind = 'digital_object' AND o.id = root;
    WHEN 3 THEN SELECT o.publish AND NOT o.suppressed INTO shown FROM record o WHERE o.kind = 'classification' AND o.id = root;
    ELSE NULL;
  END CASE;
  WHILE above IS NOT NULL AND shown IS NOT FALSE LOOP
    SELECT t.visible, t.parent_id INTO shown, above FROM tree_node t WHERE t.repo_id = repo AND t.kind = code AND t.id = above;
  END LOOP;
  RETURN shown IS FALSE;
END $$;

-- Numbers of the buckets in which nodes are laid before a tree is taken. Each was the lowest of its list and one less, as everybody saw it: of two who laid nodes for one list at once the later
-- failed. These begin below all that were given so; splice counts up from 0.
CREATE SEQUENCE tree_bucket_number AS int START 1000000 MINVALUE 1000000;

/* Table of @name@, drafted from @file@. */
UNIT(@name@, @kind@, "@name@ of @file@", "@file@")
@rows@

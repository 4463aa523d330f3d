/* node.h - memory of two kinds, by name (aci-iacm-blpp 3.17).  It must not know what either is made of. */
#ifndef WARPLOCK_MACHINE_NODE_H
#define WARPLOCK_MACHINE_NODE_H

enum memory_node { MEMORY_NODE_GPU, MEMORY_NODE_HOST, MEMORY_NODES };

#endif

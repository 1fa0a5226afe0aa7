#!/bin/sh
# usage: embed.sh FOLDER FILE...   prints C source that holds the files (named relative to FOLDER): what
# `terrane new` writes.
set -eu
folder=$1
shift
echo '#include "cmd/embedded.h"'
i=0
for file in "$@"; do
    echo "static const unsigned char file_$i[] = {"
    od -An -v -tx1 "$folder/$file" | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'
    echo "};"
    i=$((i + 1))
done
echo "const struct embedded embedded_files[] = {"
i=0
for file in "$@"; do
    echo "    {\"$file\", file_$i, sizeof file_$i},"
    i=$((i + 1))
done
echo "    {0, 0, 0}};"

{
  'targets': [{
    'target_name': 'millrace',
    'sources': ['<!@(cat native/sources.txt)'],
    'include_dirs': ['native', '<!@(node -p "require(\'node-addon-api\').include_dir")'],
    'cflags!': ['-fno-omit-frame-pointer'],
    'cflags': ['-Wall', '-Wextra', '-O2', '-g1'],
    'cflags_cc!': ['-fexceptions', '-std=gnu++17'],
    'cflags_cc': ['-std=gnu++20', '-fno-exceptions', '-fno-rtti'],
    'defines': ['NAPI_VERSION=9', 'NODE_ADDON_API_DISABLE_CPP_EXCEPTIONS']
  }]
}
